# FFTPREC_NUMPY_PYTHON: the first python3 that has NumPy, of those on the path and the system's.
function(fftprec_has_numpy found candidate)
  execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE status
                  OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${found} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(FFTPREC_NUMPY_PYTHON python3 PATHS /usr/bin VALIDATOR fftprec_has_numpy)
