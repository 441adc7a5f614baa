# The interpreter of the tests itself, not the script that a version manager puts before it: a thousand
# tests start one, and the script takes longer to start than the interpreter.
if(NOT DEFINED Python3_EXECUTABLE)
  find_program(MAZURKA_PYTHON python3)
  mark_as_advanced(MAZURKA_PYTHON)
  if(MAZURKA_PYTHON)
    execute_process(COMMAND "${MAZURKA_PYTHON}" -c "import sys; print(sys.executable)"
      OUTPUT_VARIABLE interpreter OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS "${interpreter}")
      set(Python3_EXECUTABLE "${interpreter}" CACHE FILEPATH "The interpreter of the tests")
    endif()
  endif()
endif()
