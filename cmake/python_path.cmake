# At installation: puts the Python module where a python3 with this prefix looks for it. The system's python3 is asked,
# and one of a user's own (pyenv, conda), which looks elsewhere, only where there is no other.
set(folder "${SORTIE_PYTHON_DIR}")
if(NOT folder)
  find_program(SORTIE_PYTHON3 python3 PATHS /usr/bin /bin NO_DEFAULT_PATH)
  find_program(SORTIE_PYTHON3 python3)
  if(SORTIE_PYTHON3)
    execute_process(COMMAND ${SORTIE_PYTHON3} -I ${CMAKE_CURRENT_LIST_DIR}/python_path.py "${CMAKE_INSTALL_PREFIX}"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
if(NOT folder)
  set(folder share/sortie) # no python3 to ask
endif()
if(NOT IS_ABSOLUTE "${folder}")
  set(folder "${CMAKE_INSTALL_PREFIX}/${folder}")
endif()
file(INSTALL ${SORTIE_PYTHON_MODULE} DESTINATION "${folder}" PATTERN "__pycache__" EXCLUDE)
