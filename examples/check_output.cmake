# cmake -DPROGRAM=... -DARGS=... -DEXIT=n -DEXPECT=regex -P check_output.cmake
execute_process(COMMAND ${PROGRAM} ${ARGS} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL EXIT)
    message(FATAL_ERROR "ended with ${result}, expected ${EXIT}")
endif()
if(NOT output MATCHES "${EXPECT}")
    message(FATAL_ERROR "the output does not match: ${EXPECT}")
endif()
