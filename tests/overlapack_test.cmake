# overlapack_test(NAME name LABEL label SOURCES file... LINKS target... [INCLUDES folder...] [TIMEOUT seconds] [PROCESSORS n]
#                 [RANKS p...] [ENGINES] [MPI p...] [WIDE_MPI p...] [SMPI p...] [SMPI_PROGRESS p...] [SHMEM p...] [MPI_ARGS arg...] [SMPI_ARGS arg...]
#                 [SHMEM_ARGS arg...])
#
# One GoogleTest executable `name` and its entries in ctest.
#   LABEL       unit, engine, algorithm, stress, stress-full, dropin, cli or docs; `ctest -L unit` runs one kind
#   RANKS       one ctest entry a number, name_p1, name_p2, ...; the test reads it from OVERLAPACK_TEST_RANKS
#   ENGINES     the main of tests/comm/engine_main.cpp: --engine thread|mpi|smpi|shmem. Each source is compiled once, whatever
#               the engines; MPI, SMPI, SHMEM are the numbers of ranks on each: entries name_mpi_p2, name_smpi_p4, ...
#   WIDE_MPI    numbers of processes that take long where cores are few: label wide
#   SMPI_PROGRESS  numbers of ranks for which smpi runs twice more: with long messages that need calls of both sides, and of
#               their sender: entries name_smpi_calls_p3, name_smpi_sender_p3
#   MPI_ARGS    more arguments under that engine, such as --gtest_filter; SMPI_ARGS likewise
#   TIMEOUT     seconds until ctest ends a hanging test (default 120); a limit for hangs, not a measure of speed
#   PROCESSORS  cores that ctest -j sets aside for it (default 1)
# The code of a test sees OVERLAPACK_MATRICES_DIR, the folder of real matrices, "" where there is none.
function(overlapack_test)
  cmake_parse_arguments(ARG "ENGINES" "NAME;LABEL;TIMEOUT;PROCESSORS"
                        "SOURCES;LINKS;INCLUDES;RANKS;MPI;WIDE_MPI;SMPI;SMPI_PROGRESS;SHMEM;MPI_ARGS;SMPI_ARGS;SHMEM_ARGS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_NAME OR NOT ARG_LABEL OR NOT ARG_SOURCES)
    message(FATAL_ERROR "overlapack_test(${ARG_NAME}): needs NAME, LABEL and SOURCES; not understood: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  overlapack_default(ARG_TIMEOUT 120)
  overlapack_default(ARG_PROCESSORS 1)
  overlapack_test_objects(${ARG_NAME} "${ARG_SOURCES}" "${ARG_INCLUDES}" "${ARG_LINKS}")
  set(objects $<TARGET_OBJECTS:${ARG_NAME}_objects>)
  set(main GTest::gtest_main)
  if(ARG_ENGINES)
    list(APPEND objects $<TARGET_OBJECTS:engine_main_objects>)
    set(main "")
  endif()
  add_executable(${ARG_NAME} ${objects})
  set_target_properties(${ARG_NAME} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINKS} GTest::gtest ${main})

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
  overlapack_time_limit(limit ${ARG_TIMEOUT})
  set_tests_properties(${entries} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${limit} PROCESSORS ${ARG_PROCESSORS})

  if(ARG_MPI)
    overlapack_mpi_test(NAME ${ARG_NAME}_mpi COMMAND ${ARG_NAME} ARGS --engine mpi ${ARG_MPI_ARGS} RANKS ${ARG_MPI}
                        LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  endif()
  if(ARG_WIDE_MPI)
    overlapack_mpi_test(NAME ${ARG_NAME}_mpi COMMAND ${ARG_NAME} ARGS --engine mpi ${ARG_MPI_ARGS} RANKS ${ARG_WIDE_MPI}
                        LABEL wide TIMEOUT ${ARG_TIMEOUT})
  endif()
  if(ARG_SMPI AND overlapack_has_smpi)
    overlapack_smpi_module(NAME ${ARG_NAME}_smpi SOURCES ${objects} LINKS ${ARG_LINKS} GTest::gtest)
    overlapack_smpi_test(NAME ${ARG_NAME}_smpi COMMAND ${ARG_NAME}_smpi ARGS --engine smpi ${ARG_SMPI_ARGS} RANKS ${ARG_SMPI}
                         LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
    foreach(progress IN ITEMS calls sender)
      overlapack_smpi_test(NAME ${ARG_NAME}_smpi COMMAND ${ARG_NAME}_smpi ARGS --engine smpi ${ARG_SMPI_ARGS} RANKS ${ARG_SMPI_PROGRESS}
                           PROGRESS ${progress} LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
    endforeach()
  endif()
  if(ARG_SHMEM AND overlapack_has_shmem)
    overlapack_shmem_program(NAME ${ARG_NAME}_shmem SOURCES ${objects} LINKS ${ARG_LINKS} GTest::gtest)
    overlapack_shmem_test(NAME ${ARG_NAME}_shmem COMMAND ${ARG_NAME}_shmem ARGS --engine shmem ${ARG_SHMEM_ARGS} RANKS ${ARG_SHMEM}
                          LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()

# overlapack_fault_test(NAME name SOURCES file... LINKS target... [MPI p...]): faults at every place (fault_sweep.hpp), on threads and,
# at one place in many, on processes.
function(overlapack_fault_test)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LINKS;MPI" ${ARGN})
  overlapack_test(NAME ${ARG_NAME} LABEL stress ENGINES TIMEOUT 300 PROCESSORS 2 MPI ${ARG_MPI} MPI_ARGS --gtest_filter=*AnyFailing*:*ASlowRank*
    SOURCES ${ARG_SOURCES} LINKS ${ARG_LINKS})
  overlapack_count_allocations(${ARG_NAME})
endfunction()

# overlapack_count_allocations(name): memory of this test can fail (counted_allocations.hpp).
function(overlapack_count_allocations name)
  target_sources(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/tests/counted_allocations.cpp)
  target_compile_options(${name}_objects PRIVATE -Wno-mismatched-new-delete)  # it replaces operator new
  target_link_options(${name} PRIVATE LINKER:--wrap=_ZN10overlapack14allocate_largeEmNS_5PagesENS_3UseE)
endfunction()

# The objects of a test, compiled for all engines; with a visible main, as the simulator needs it.
function(overlapack_test_objects name sources includes links)
  add_library(${name}_objects OBJECT ${sources})
  set_target_properties(${name}_objects PROPERTIES CXX_VISIBILITY_PRESET default)
  target_compile_options(${name}_objects PRIVATE -Wall -Wextra -O1)  # built once, run once
  target_compile_definitions(${name}_objects PRIVATE OVERLAPACK_MATRICES_DIR="${OVERLAPACK_MATRICES}")
  target_include_directories(${name}_objects PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/comm
                             ${CMAKE_CURRENT_SOURCE_DIR} ${includes})
  target_link_libraries(${name}_objects PRIVATE ${links} GTest::gtest)
endfunction()

# The seconds until ctest ends a test: as given, with a sanitizer five times as many.
function(overlapack_time_limit variable seconds)
  if(OVERLAPACK_SANITIZE)
    math(EXPR seconds "5 * ${seconds}")
  endif()
  set(${variable} ${seconds} PARENT_SCOPE)
endfunction()

# Give a variable of the caller a value where it has none.
function(overlapack_default variable value)
  if(NOT ${variable})
    set(${variable} ${value} PARENT_SCOPE)
  endif()
endfunction()
