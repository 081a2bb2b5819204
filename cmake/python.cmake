# The Python module goes where the system's own python3 looks for modules of this prefix; cmake/python_path.cmake asks it
# when the prefix is known. SORTIE_PYTHON_DIR (absolute, or below the prefix) says otherwise.
set(SORTIE_PYTHON_DIR "" CACHE STRING "Where the Python module is installed; empty: where python3 looks")
install(CODE "set(SORTIE_PYTHON_DIR \"${SORTIE_PYTHON_DIR}\")
set(SORTIE_PYTHON_MODULE \"${PROJECT_SOURCE_DIR}/python/sortie\")
include(\"${PROJECT_SOURCE_DIR}/cmake/python_path.cmake\")")
