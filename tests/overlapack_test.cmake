# overlapack_test(NAME name LABEL label SOURCES file... LINKS target... [RANKS p...] [TIMEOUT seconds] [PROCESSORS n])
#
# One GoogleTest executable `name` and its entry in ctest.
#   LABEL       unit, engine, algorithm, stress, stress-full, cli or docs; `ctest -L unit` runs one kind
#   RANKS       one ctest entry a number, name_p1, name_p2, ...; the test reads it from OVERLAPACK_TEST_RANKS
#   TIMEOUT     seconds until ctest ends a hanging test (default 120); a limit for hangs, not a measure of speed
#   PROCESSORS  cores that ctest -j sets aside for it (default 1)
# The code of a test sees OVERLAPACK_MATRICES_DIR, the folder of real matrices, "" where there is none.
function(overlapack_test)
  cmake_parse_arguments(ARG "" "NAME;LABEL;TIMEOUT;PROCESSORS" "SOURCES;LINKS;RANKS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_NAME OR NOT ARG_LABEL OR NOT ARG_SOURCES)
    message(FATAL_ERROR "overlapack_test(${ARG_NAME}): needs NAME, LABEL and SOURCES; not understood: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_compile_options(${ARG_NAME} PRIVATE -Wall -Wextra -O1)  # built once, run once
  target_compile_definitions(${ARG_NAME} PRIVATE OVERLAPACK_MATRICES_DIR="${OVERLAPACK_MATRICES}")
  target_include_directories(${ARG_NAME} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gtest_main)

  overlapack_default(ARG_TIMEOUT 120)
  overlapack_default(ARG_PROCESSORS 1)
  if(ARG_RANKS)
    foreach(ranks IN LISTS ARG_RANKS)
      add_test(NAME ${ARG_NAME}_p${ranks} COMMAND ${ARG_NAME})
      set_tests_properties(${ARG_NAME}_p${ranks} PROPERTIES ENVIRONMENT OVERLAPACK_TEST_RANKS=${ranks})
      list(APPEND entries ${ARG_NAME}_p${ranks})
    endforeach()
  else()
    add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME})
    set(entries ${ARG_NAME})
  endif()
  set_tests_properties(${entries} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} PROCESSORS ${ARG_PROCESSORS})
endfunction()

# Give a variable of the caller a value where it has none.
function(overlapack_default variable value)
  if(NOT ${variable})
    set(${variable} ${value} PARENT_SCOPE)
  endif()
endfunction()
