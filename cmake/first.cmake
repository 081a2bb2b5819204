# What `make run` shows its boards with: `sortie show` and `sortie move`, without the copies of the games for newer
# processors and without the other commands, so that somebody who has just cloned need not wait for those.
set(first_sources main_sortie.c commands.c dispatch.c cli.c cli_engine.c course_run.c manual.c cmd_move.c cmd_show.c)
set(first_files "")
foreach(source ${first_sources})
  file(GLOB_RECURSE found CONFIGURE_DEPENDS src/cli/${source})
  list(APPEND first_files ${found})
endforeach()
add_executable(sortie-first ${first_files} src/crew/backend.c src/game/levels.c
               ${writing_sources}
               $<TARGET_OBJECTS:sortie_objects>)
target_include_directories(sortie-first PRIVATE include src)
target_compile_definitions(sortie-first PRIVATE SORTIE_FIRST SORTIE_VERSION="${PROJECT_VERSION}")
target_compile_options(sortie-first PRIVATE ${plain_speed})
target_link_libraries(sortie-first PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
set_target_properties(sortie-first PROPERTIES OUTPUT_NAME sortie RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/first)
