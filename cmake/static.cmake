# Programs that are one file each and run on any Linux of their processor: SORTIE_STATIC is the folder that
# tools/static_libs.sh has filled. They load no backends, so there are neither graphics cards nor MPI in them.
set(SORTIE_STATIC "" CACHE PATH "A folder of static libraries: link programs into one file each")
if(SORTIE_STATIC)
  foreach(library SQLite3:sqlite3 LibArchive:archive)
    string(REPLACE ":" ";" library ${library})
    list(GET library 0 package)
    list(GET library 1 file)
    set(${package}_INCLUDE_DIR ${SORTIE_STATIC}/include CACHE PATH "" FORCE)
    set(${package}_LIBRARY ${SORTIE_STATIC}/lib/lib${file}.a CACHE FILEPATH "" FORCE)
  endforeach()
  set(MICROHTTPD_INCLUDE ${SORTIE_STATIC}/include CACHE PATH "" FORCE)
  set(MICROHTTPD_LIBRARY ${SORTIE_STATIC}/lib/libmicrohttpd.a CACHE FILEPATH "" FORCE)
  set(SORTIE_MPI OFF)
  set(SORTIE_CUDA OFF)
  set_source_files_properties(src/crew/backend.c PROPERTIES COMPILE_DEFINITIONS SORTIE_NO_BACKENDS)

  # Writing a zip brings in all that libarchive can write, and one of these formats needs a library more.
  set_source_files_properties(src/grade/platform/grade_autograder.c PROPERTIES COMPILE_DEFINITIONS SORTIE_NO_XAR)

  # What the libraries need in their turn.
  set(archive_needs "")
  foreach(file nettle lzma bz2 zstd z)
    list(APPEND archive_needs ${SORTIE_STATIC}/lib/lib${file}.a)
  endforeach()
  add_library(sortie_no_https STATIC cmake/no_https.c)
endif()

# link_into_one_file(PROGRAM)
function(link_into_one_file program)
  if(SORTIE_STATIC)
    target_link_options(${program} PRIVATE -static-pie)
  endif()
endfunction()
