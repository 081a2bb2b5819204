# Matches keep their results in SQLite, grading unpacks archives; programs that use neither are linked without.
find_package(SQLite3 REQUIRED)
find_package(LibArchive REQUIRED)
file(GLOB match_sources CONFIGURE_DEPENDS src/match/*.c)
# The page of reports, its style and its script, as C arrays; the board's parts are the web page's own.
set(page ${CMAKE_SOURCE_DIR}/src/match/page)
set(page_html ${page}/page.html)
set(page_css ${CMAKE_SOURCE_DIR}/web/board.css ${page}/page.css)
set(page_js ${CMAKE_SOURCE_DIR}/web/board.js ${page}/games.js ${page}/tables.js)
foreach(part html css js)
  string(REPLACE ";" "," page_files "${page_${part}}")
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/page_${part}.c
    COMMAND ${CMAKE_COMMAND} -DINPUT=${page_files} -DOUTPUT=${CMAKE_BINARY_DIR}/page_${part}.c
            -DNAME=report_page_${part} -P ${page}/embed.cmake
    DEPENDS ${page_${part}} ${page}/embed.cmake)
  list(APPEND match_sources ${CMAKE_BINARY_DIR}/page_${part}.c)
endforeach()
add_library(sortie_match STATIC ${match_sources})
target_compile_options(sortie_match PRIVATE ${plain_speed})
target_link_libraries(sortie_match PUBLIC sortie_core SQLite::SQLite3 LibArchive::LibArchive)
