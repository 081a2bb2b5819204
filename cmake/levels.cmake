# The games once more for each kind of newer processor. All of a level's objects are linked into one whose only visible
# symbols are the games, called war_game_avx2 and so on; src/game/levels.c chooses among them at run time. So the hot
# code needs neither attributes nor pointers, and a level costs what it adds to the program, nothing else.
set(level_objects "")
set(SORTIE_LEVEL_ROWS "")
set(SORTIE_LEVEL_DECLARATIONS "")
set(levels "")
if(SORTIE_LEVELS AND NOT SORTIE_NATIVE AND NOT SORTIE_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "Rel"
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_OBJCOPY AND CMAKE_LINKER)
  set(levels popcnt avx2 avx512)
endif()
set(flags_popcnt -mssse3 -msse4.1 -msse4.2 -mpopcnt)
set(flags_avx2 ${flags_popcnt} -mavx -mavx2 -mbmi -mbmi2)
set(flags_avx512 ${flags_avx2} -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl)

# What a search of the game spends its time in, and nothing else: formats, courses' players, tables of numbers, clocks and
# teams are the same code on every processor, and the levels use the one copy there is of them. A game of which no file
# is named here, or a file that is not, costs speed at worst. With a game's files goes the one that defines NAME_game.
set(tuned_sources
  src/games/gomoku/rules/gomoku.c src/games/gomoku/board/board.c src/games/gomoku/search/ending.c
  src/games/gomoku/eval/eval.c src/games/gomoku/search/moves.c src/games/gomoku/eval/net.c
  src/games/gomoku/search/order.c src/games/gomoku/search/think.c src/games/gomoku/search/tree.c
  src/games/gomoku/search/tt.c src/games/gomoku/search/vcf.c src/games/gomoku/search/vct.c
  src/games/laser/kernel/endgame.c src/games/laser/kernel/kernel.c src/games/laser/kernel/kernel_1.c
  src/games/laser/kernel/kernel_2.c src/games/laser/kernel/kernel_3.c src/games/laser/kernel/kernel_4.c
  src/games/laser/kernel/kernel_7.c src/games/laser/kernel/kernel_16.c src/games/laser/rules/laser.c
  src/games/laser/kernel/laser_table.c src/games/laser/search/laser_textbook.c src/games/laser/search/think.c
  src/games/war/rules/board.c src/games/war/solve/endings.c src/games/war/solve/endings_asked.c
  src/games/war/search/search.c src/games/war/solve/solve.c src/games/war/solve/solve_root.c
  src/games/war/search/war_textbook.c src/games/war/search/think.c src/games/war/search/trap.c
  src/games/war/rules/war.c)
set(game_names ${tuned_sources})
list(TRANSFORM game_names REPLACE "^src/games/([a-z0-9_]+)/.*" "\\1")
list(REMOVE_DUPLICATES game_names)
foreach(level ${levels})
  add_library(sortie_games_${level} OBJECT ${tuned_sources})
  target_include_directories(sortie_games_${level} PRIVATE include src)
  target_compile_options(sortie_games_${level} PRIVATE ${flags_${level}})
  set(names "")
  foreach(name ${game_names})
    list(APPEND names --redefine-sym ${name}_game=${name}_game_${level} --keep-global-symbol=${name}_game_${level})
    string(APPEND SORTIE_LEVEL_DECLARATIONS "extern const struct game ${name}_game_${level};\n")
  endforeach()
  set(object ${PROJECT_BINARY_DIR}/games_${level}${CMAKE_C_OUTPUT_EXTENSION})
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:sortie_games_${level}>
    COMMAND ${CMAKE_OBJCOPY} ${names} ${object}
    DEPENDS sortie_games_${level} $<TARGET_OBJECTS:sortie_games_${level}>
    COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND level_objects ${object})
endforeach()
set_source_files_properties(${level_objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_custom_target(level_objects DEPENDS ${level_objects})

foreach(name ${game_names})
  string(APPEND SORTIE_LEVEL_DECLARATIONS "extern const struct game ${name}_game;\n")
  string(APPEND SORTIE_LEVEL_ROWS "    {&${name}_game")
  foreach(level ${levels})
    string(APPEND SORTIE_LEVEL_ROWS ", &${name}_game_${level}")
  endforeach()
  string(APPEND SORTIE_LEVEL_ROWS "},\n")
endforeach()
add_library(sortie_levels OBJECT src/game/levels.c)
target_include_directories(sortie_levels PRIVATE include src)
if(levels)
  configure_file(cmake/levels.h.in ${PROJECT_BINARY_DIR}/levels/levels_table.h @ONLY)
  target_compile_definitions(sortie_levels PRIVATE SORTIE_LEVELS)
  target_include_directories(sortie_levels PRIVATE ${PROJECT_BINARY_DIR}/levels)
endif()
list(APPEND level_objects $<TARGET_OBJECTS:sortie_levels>)
