# BLAS::BLAS, which gemm of large blocks comes from. OVERLAPACK_BLAS names it as FindBLAS does (OpenBLAS, FLAME for BLIS, Intel10_64lp_seq,
# Arm, Generic, ...), or is the file of a shared library; "scipy-openblas32" is the build of OpenBLAS that NumPy and SciPy are made with, from PyPI: as new as the
# newest processors, and with a prefix before its symbols, so that it stands beside any other BLAS in a process.
set(OVERLAPACK_BLAS "${BLA_VENDOR}" CACHE STRING "BLAS as CMake's FindBLAS names it, a library's file, or scipy-openblas32; empty: OpenBLAS, else any")

# The library of the package scipy-openblas32, in overlapack_blas_file. It is not imported: it would load its library, which may be another processor's.
function(overlapack_find_scipy_openblas)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import importlib.util as u; print(u.find_spec('scipy_openblas32').submodule_search_locations[0] + '/lib/libscipy_openblas.so')"
                  OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed OR NOT EXISTS "${library}")
    message(FATAL_ERROR "OVERLAPACK_BLAS is scipy-openblas32, but ${Python3_EXECUTABLE} has no such package: pip install scipy-openblas32, "
                        "or take the system's OpenBLAS with -DOVERLAPACK_BLAS=OpenBLAS")
  endif()
  set(overlapack_blas_file ${library} PARENT_SCOPE)
endfunction()

if(OVERLAPACK_BLAS STREQUAL "scipy-openblas32")
  overlapack_find_scipy_openblas()
  add_library(BLAS::BLAS UNKNOWN IMPORTED GLOBAL)
  set_target_properties(BLAS::BLAS PROPERTIES IMPORTED_LOCATION ${overlapack_blas_file}
                        INTERFACE_COMPILE_DEFINITIONS OVERLAPACK_BLAS_PREFIX=scipy_)
  # It goes where we are installed.
  set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/overlapack $ORIGIN/../overlapack $ORIGIN/../lib/overlapack)
  install(FILES ${overlapack_blas_file} DESTINATION lib/overlapack COMPONENT library)
  install(FILES ${overlapack_blas_file} DESTINATION overlapack COMPONENT python EXCLUDE_FROM_ALL)
elseif(IS_ABSOLUTE "${OVERLAPACK_BLAS}")
  set(overlapack_blas_file ${OVERLAPACK_BLAS})
  add_library(BLAS::BLAS UNKNOWN IMPORTED GLOBAL)
  set_target_properties(BLAS::BLAS PROPERTIES IMPORTED_LOCATION ${overlapack_blas_file})
elseif(OVERLAPACK_BLAS)
  set(BLA_VENDOR ${OVERLAPACK_BLAS})
  find_package(BLAS)
  if(NOT BLAS_FOUND)
    message(FATAL_ERROR "no BLAS called ${OVERLAPACK_BLAS} was found; install it, name another with -DOVERLAPACK_BLAS=, or leave that empty")
  endif()
else()
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS QUIET)
  unset(BLA_VENDOR)
  if(NOT BLAS_FOUND)
    find_package(BLAS)
    if(BLAS_FOUND)
      message(WARNING "OpenBLAS was not found, and ${BLAS_LIBRARIES} is taken: if that is the reference BLAS, everything is several times slower. "
                      "Install libopenblas-dev, or take PyPI's: pip install scipy-openblas32 and -DOVERLAPACK_BLAS=scipy-openblas32")
    endif()
  endif()
  if(NOT BLAS_FOUND)
    message(FATAL_ERROR "no BLAS was found; on Debian and Ubuntu: apt-get install libopenblas-dev, or with Python: pip install "
                        "scipy-openblas32 and -DOVERLAPACK_BLAS=scipy-openblas32")
  endif()
endif()

if(NOT overlapack_blas_file)
  set(overlapack_blas_file ${BLAS_LIBRARIES})
endif()
message(STATUS "BLAS: ${overlapack_blas_file}")

# It must have gemm of all four types and take integers of 32 bits. Asked once for each library.
if(NOT "${OVERLAPACK_TRIED_BLAS}" STREQUAL "${overlapack_blas_file}")
  try_run(ended is_linked ${PROJECT_BINARY_DIR}/try_blas ${CMAKE_CURRENT_LIST_DIR}/try_blas.cpp
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${CMAKE_CURRENT_LIST_DIR}/../src LINK_LIBRARIES BLAS::BLAS
          COMPILE_OUTPUT_VARIABLE build_output RUN_OUTPUT_VARIABLE run_output)
  if(NOT is_linked)
    message(FATAL_ERROR "this BLAS lacks one of sgemm, dgemm, cgemm and zgemm (${overlapack_blas_file}); name another with -DOVERLAPACK_BLAS=\n"
                        "${build_output}")
  elseif(NOT ended EQUAL 0)
    message(FATAL_ERROR "this BLAS computes a product of 2 x 2 wrongly, as one with 64-bit integers does (${overlapack_blas_file}); name one "
                        "with 32-bit integers with -DOVERLAPACK_BLAS=\n${run_output}")
  endif()
  set(OVERLAPACK_TRIED_BLAS "${overlapack_blas_file}" CACHE INTERNAL "the BLAS that was tried last")
endif()
