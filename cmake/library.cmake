# libsortie for other programs: shared with a versioned name, and static, both with the public API as their only symbols.
if(NOT SORTIE_SANITIZE)
  add_library(sortie_shared SHARED $<TARGET_OBJECTS:sortie_objects> $<TARGET_OBJECTS:sortie_proofs> ${level_objects})
  set_target_properties(sortie_shared PROPERTIES OUTPUT_NAME sortie VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME sortie LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  add_library(sortie::sortie ALIAS sortie_shared)
  target_include_directories(sortie_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(sortie_shared PRIVATE Threads::Threads m)
  if(WIN32)
    # sortie.dll, whose exports are the list that the tests compare with the header.
    set_target_properties(sortie_shared PROPERTIES PREFIX "" RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/abi/symbols)
    file(STRINGS tests/abi/symbols exported)
    list(JOIN exported "\n" exported)
    file(WRITE ${PROJECT_BINARY_DIR}/sortie.def "EXPORTS\n${exported}\n")
    target_sources(sortie_shared PRIVATE ${PROJECT_BINARY_DIR}/sortie.def)
    target_compile_definitions(sortie_shared INTERFACE SORTIE_DLL)
  endif()
  if(CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT WIN32)
    # All objects linked into one, so that what is hidden can be made local: nothing of ours gets in a program's way.
    set(whole ${PROJECT_BINARY_DIR}/libsortie_whole${CMAKE_C_OUTPUT_EXTENSION})
    add_custom_command(OUTPUT ${whole}
      COMMAND ${CMAKE_LINKER} -r -o ${whole} $<TARGET_OBJECTS:sortie_objects> $<TARGET_OBJECTS:sortie_proofs> ${level_objects}
      COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole}
      DEPENDS sortie_objects $<TARGET_OBJECTS:sortie_objects> $<TARGET_OBJECTS:sortie_proofs> ${level_objects}
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    add_library(sortie_static STATIC ${whole})
    set_target_properties(sortie_static PROPERTIES OUTPUT_NAME sortie EXPORT_NAME sortie_static LINKER_LANGUAGE C)
    add_library(sortie::sortie_static ALIAS sortie_static)
    target_include_directories(sortie_static INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(sortie_static INTERFACE Threads::Threads m)
  endif()
endif()

if(SORTIE_INSTALL AND NOT SORTIE_SANITIZE)
  install(TARGETS sortie_shared EXPORT sortie ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET sortie_static)
    install(TARGETS sortie_static EXPORT sortie ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
  include(CMakePackageConfigHelpers)
  file(RELATIVE_PATH SORTIE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  configure_file(cmake/sortie.pc.in ${PROJECT_BINARY_DIR}/sortie.pc @ONLY)
  configure_package_config_file(cmake/sortie-config.cmake.in ${PROJECT_BINARY_DIR}/sortie-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sortie)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/sortie-config-version.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/sortie-config.cmake ${PROJECT_BINARY_DIR}/sortie-config-version.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sortie)
  install(EXPORT sortie NAMESPACE sortie:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sortie FILE sortie-targets.cmake)
  install(FILES ${PROJECT_BINARY_DIR}/sortie.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  include(cmake/python.cmake)
  install(DIRECTORY include/sortie DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
