# Matches keep their results in SQLite, grading unpacks archives; programs that use neither are linked without.
find_package(SQLite3 REQUIRED)
find_package(LibArchive REQUIRED)
file(GLOB match_sources CONFIGURE_DEPENDS src/sandbox/*.c src/players/*.c src/results/*.c
     src/analysis/*.c src/match/*.c src/match/class/*.c src/grade/*.c src/grade/find/*.c src/grade/games/*.c src/grade/explain/*.c
     src/grade/feedback/*.c src/grade/platform/*.c)
# The page of reports, its style and its script, as C arrays; the board's parts are the web page's own.
set(page ${PROJECT_SOURCE_DIR}/src/results/page)
set(page_html ${page}/page.html)
set(page_css ${PROJECT_SOURCE_DIR}/web/board.css ${page}/page.css)
set(page_js ${PROJECT_SOURCE_DIR}/web/board.js ${page}/games.js ${page}/tables.js)
foreach(part html css js)
  string(REPLACE ";" "," page_files "${page_${part}}")
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/page_${part}.c
    COMMAND ${CMAKE_COMMAND} -DINPUT=${page_files} -DOUTPUT=${PROJECT_BINARY_DIR}/page_${part}.c
            -DNAME=report_page_${part} -P ${page}/embed.cmake
    DEPENDS ${page_${part}} ${page}/embed.cmake)
  list(APPEND match_sources ${PROJECT_BINARY_DIR}/page_${part}.c)
endforeach()
# The first process of a sandbox, a program without a C library, whose bytes the warden has in it. Compiled by hand: it
# takes none of the options of the rest (sanitizers, coverage). Other processors do without.
set(first ${PROJECT_SOURCE_DIR}/src/sandbox/first)
set(first_program ${PROJECT_BINARY_DIR}/warden_first)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|aarch64|arm64)$")
  set(first_target $<$<BOOL:${CMAKE_C_COMPILER_TARGET}>:--target=${CMAKE_C_COMPILER_TARGET}>)
  add_custom_command(OUTPUT ${first_program}
    COMMAND ${CMAKE_C_COMPILER} ${first_target} -std=gnu17 -Os -Wall -Wextra -Wconversion -I${PROJECT_SOURCE_DIR}/src
            -ffreestanding -fno-stack-protector -fno-pie -no-pie -static -nostdlib -s -Wl,--build-id=none
            -Wl,-z,noexecstack -o ${first_program} ${first}/first.c
    DEPENDS ${first}/first.c ${first}/first.h COMMAND_EXPAND_LISTS VERBATIM)
else()
  file(WRITE ${first_program} "")
endif()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/warden_first.c
  COMMAND ${CMAKE_COMMAND} -DINPUT=${first_program} -DOUTPUT=${PROJECT_BINARY_DIR}/warden_first.c -DNAME=warden_first
          -P ${page}/embed.cmake
  DEPENDS ${first_program} ${page}/embed.cmake)
list(APPEND match_sources ${PROJECT_BINARY_DIR}/warden_first.c)
add_library(sortie_match STATIC ${match_sources})
target_compile_options(sortie_match PRIVATE ${plain_speed})
target_link_libraries(sortie_match PUBLIC sortie_core SQLite::SQLite3 LibArchive::LibArchive ${archive_needs})
