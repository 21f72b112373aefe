# The mpi engine's plugins: one source, compiled once for each flavour of MPI whose compiler wrapper is found, never
# linked with it. Set MPI_CXX_COMPILER to choose the wrapper of one more MPI.
include(GNUInstallDirs)

# The include folders that an MPI compiler wrapper adds, and its flavour: openmpi or mpich. Empty: no MPI.
function(overlapack_ask_mpi_wrapper wrapper folders flavour)
  set(${folders} "" PARENT_SCOPE)
  set(${flavour} "" PARENT_SCOPE)
  foreach(question --showme:compile -compile_info -show)
    execute_process(COMMAND ${wrapper} ${question} OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE failed)
    string(REGEX MATCHALL "-I[^ \n]+" found "${answer}")
    if(NOT failed AND found)
      break()
    endif()
  endforeach()
  list(TRANSFORM found REPLACE "^-I" "")
  find_file(header mpi.h PATHS ${found} NO_DEFAULT_PATH NO_CACHE)
  if(NOT header)
    return()
  endif()
  file(STRINGS ${header} is_open_mpi REGEX "define +OPEN_MPI")
  file(STRINGS ${header} is_mpich REGEX "define +MPICH_VERSION")
  set(${folders} ${found} PARENT_SCOPE)
  if(is_open_mpi)
    set(${flavour} openmpi PARENT_SCOPE)
  elseif(is_mpich)
    set(${flavour} mpich PARENT_SCOPE)
  endif()
endfunction()

# overlapack_mpi_plugins(SOURCE file...): targets overlapack_openmpi and overlapack_mpich, as far as they can be built.
function(overlapack_mpi_plugins)
  set(built "")
  foreach(name "${MPI_CXX_COMPILER}" mpicxx.openmpi mpicxx.mpich mpicxx)
    if(NOT name)
      continue()
    endif()
    find_program(wrapper ${name} NO_CACHE)
    if(wrapper)
      overlapack_ask_mpi_wrapper(${wrapper} folders flavour)
      if(flavour AND NOT TARGET overlapack_${flavour})
        add_library(overlapack_${flavour} MODULE ${ARGN})
        target_include_directories(overlapack_${flavour} PRIVATE ${PROJECT_SOURCE_DIR}/src)
        target_include_directories(overlapack_${flavour} SYSTEM PRIVATE ${folders})
        target_compile_options(overlapack_${flavour} PRIVATE -Wall -Wextra -Wpedantic)
        set_target_properties(overlapack_${flavour} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden
                              LIBRARY_OUTPUT_DIRECTORY ${overlapack_plugin_folder})
        if(NOT SKBUILD)
          install(TARGETS overlapack_${flavour} LIBRARY DESTINATION lib/overlapack)
        endif()
        list(APPEND built "overlapack_${flavour} (${wrapper})")
      endif()
    endif()
    unset(wrapper)
  endforeach()
  list(JOIN built ", " text)
  message(STATUS "mpi plugins: ${text}")
endfunction()

set(overlapack_plugin_folder ${PROJECT_BINARY_DIR}/lib/overlapack)
find_program(OVERLAPACK_SMPICXX smpicxx)
find_program(OVERLAPACK_SMPIRUN smpirun)
find_path(OVERLAPACK_SMPI_INCLUDE_DIR smpi/mpi.h)
find_library(OVERLAPACK_SIMGRID_LIBRARY simgrid)
find_program(OVERLAPACK_MPIRUN NAMES mpirun.openmpi)
mark_as_advanced(OVERLAPACK_SMPICXX OVERLAPACK_SMPIRUN OVERLAPACK_SMPI_INCLUDE_DIR OVERLAPACK_SIMGRID_LIBRARY OVERLAPACK_MPIRUN)

set(overlapack_has_smpi FALSE)
if(OVERLAPACK_SMPI AND OVERLAPACK_SMPICXX AND OVERLAPACK_SMPIRUN AND OVERLAPACK_SMPI_INCLUDE_DIR AND OVERLAPACK_SIMGRID_LIBRARY)
  set(overlapack_has_smpi TRUE)
  # The simulator loads one copy of a program for each rank: no object may be shared between the copies.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fno-gnu-unique)
  endif()
endif()

# overlapack_smpi_module(NAME name SOURCES file... LINKS target...)
# A program for the simulator: a module that smpirun loads once a rank. The engine is in it, compiled for SMPI, so that
# the one in the layer comm is not taken.
function(overlapack_smpi_module)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LINKS" ${ARGN})
  add_library(${ARG_NAME} MODULE ${ARG_SOURCES} $<TARGET_OBJECTS:comm_smpi>)
  set_target_properties(${ARG_NAME} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET default)
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINKS} ${OVERLAPACK_SIMGRID_LIBRARY})
endfunction()

# OpenSHMEM: programs of their own, started by oshrun.
find_program(OVERLAPACK_OSHRUN oshrun)
find_library(OVERLAPACK_SHMEM_LIBRARY oshmem)
find_path(OVERLAPACK_SHMEM_INCLUDE_DIR shmem.h PATHS ${OVERLAPACK_SHMEM_HINTS} /usr/lib/x86_64-linux-gnu/openmpi/include
          /usr/lib/aarch64-linux-gnu/openmpi/include)
mark_as_advanced(OVERLAPACK_OSHRUN OVERLAPACK_SHMEM_LIBRARY OVERLAPACK_SHMEM_INCLUDE_DIR)
if(OVERLAPACK_OSHRUN AND OVERLAPACK_SHMEM_LIBRARY AND OVERLAPACK_SHMEM_INCLUDE_DIR)
  set(overlapack_has_shmem ON)
else()
  set(overlapack_has_shmem OFF)
endif()

# overlapack_shmem_program(NAME name SOURCES file... LINKS target...)
# A program with the engine in it, compiled for OpenSHMEM, so that the one in the layer comm is not taken.
function(overlapack_shmem_program)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LINKS" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SOURCES} $<TARGET_OBJECTS:comm_shmem>)
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINKS} ${OVERLAPACK_SHMEM_LIBRARY})
endfunction()

# overlapack_shmem_test(NAME name COMMAND target [ARGS arg...] [RANKS p...] [LABEL label] [TIMEOUT seconds])
# One ctest entry a number of ranks, under oshrun.
function(overlapack_shmem_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${OVERLAPACK_OSHRUN} --oversubscribe --mca memory ^patcher -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} "${ranks}" "${ARG_LABEL}" "${ARG_TIMEOUT}")
  endforeach()
endfunction()

# overlapack_mpi_test(NAME name COMMAND target [ARGS arg...] [RANKS p...] [LABEL label] [TIMEOUT seconds])
# One ctest entry a number of ranks: the target's program under Open MPI's mpirun, over shared memory. None where there
# is no such mpirun.
function(overlapack_mpi_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  if(NOT OVERLAPACK_MPIRUN OR NOT TARGET overlapack_openmpi)
    return()
  endif()
  add_dependencies(${ARG_COMMAND} overlapack_openmpi)
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${OVERLAPACK_MPIRUN} --oversubscribe --mca pml ob1 --mca btl vader,self --mca mpi_yield_when_idle 1
                     -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} "${ranks}" "${ARG_LABEL}" "${ARG_TIMEOUT}")
  endforeach()
endfunction()

# overlapack_smpi_test(NAME name MODULE target [ARGS arg...] [RANKS p...] [LABEL label] [TIMEOUT seconds])
# The same under SimGrid's smpirun, on a small cluster, with times that depend on the program alone.
function(overlapack_smpi_test)
  cmake_parse_arguments(ARG "" "NAME;MODULE;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  if(NOT overlapack_has_smpi)
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/smpi)
  overlapack_write_cluster(${folder} 8)
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${OVERLAPACK_SMPIRUN} -np ${ranks} -platform ${folder}/cluster.xml -hostfile ${folder}/hosts
                     --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:10Gf --cfg=smpi/grow-injected-times:no
                     --cfg=smpi/iprobe:2e-7 --log=root.thres:warning
                     $<TARGET_FILE:${ARG_MODULE}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} 1 "${ARG_LABEL}" "${ARG_TIMEOUT}")
  endforeach()
endfunction()

function(overlapack_launched_test name processes label timeout)
  if(NOT label)
    set(label engine)
  endif()
  if(NOT timeout)
    set(timeout 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT ${timeout} PROCESSORS ${processes}
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
endfunction()

# A cluster of `hosts` equal hosts, and the list of them.
function(overlapack_write_cluster folder hosts)
  math(EXPR last "${hosts} - 1")
  file(CONFIGURE OUTPUT ${folder}/cluster.xml @ONLY CONTENT [[
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="host" suffix="" radical="0-@last@" speed="10Gf" bw="10GBps" lat="1us"
           loopback_bw="20GBps" loopback_lat="100ns"/>
</platform>
]])
  set(names "")
  foreach(host RANGE ${last})
    string(APPEND names "host${host}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/hosts @ONLY CONTENT "@names@")
endfunction()
