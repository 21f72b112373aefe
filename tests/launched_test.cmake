# Tests whose ranks are processes: under an MPI's launcher, under SimGrid's smpirun, under oshrun.

# Open MPI: over shared memory, more ranks than cores, root too (the first name of a pair is of Open MPI 4, the second of 5).
# MPICH has no such variables; its ranks spin while they wait, so it is tested with few of them. RES_OPTIONS is the C library's: on a
# machine whose own name is in no hosts file each start of ranks would wait 5 s and more for a name server.
set(overlapack_launch_environment
  "RES_OPTIONS=timeout:1 attempts:1"
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none)
if(OVERLAPACK_SANITIZE)  # what MPI libraries leave to the end of the process is not told from leaks of ours
  list(APPEND overlapack_launch_environment LSAN_OPTIONS=detect_leaks=0)
endif()
set(overlapack_mpi_environment ${overlapack_launch_environment} OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self)

# overlapack_skipped_test(NAME reason [LABEL]): an entry that ctest shows as skipped, so that what a machine lacks is seen.
function(overlapack_skipped_test name reason)
  set(label ${ARGN})
  overlapack_default(label engine)
  message(STATUS "${name}: ${reason}")
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped" LABELS ${label})
endfunction()

# Which MPI is there for the tests: a launcher, and the plugin built for it; and on how many ranks they run at most.
set(overlapack_mpi_test_ranks 64)
set(overlapack_mpi_plugin "")
if(OVERLAPACK_MPIRUN)
  execute_process(COMMAND ${OVERLAPACK_MPIRUN} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "Open MPI|OpenRTE|PRRTE")
    set(overlapack_mpi_plugin overlapack_openmpi)
  elseif(version MATCHES "HYDRA|MPICH")
    set(overlapack_mpi_plugin overlapack_mpich)
    set(overlapack_mpi_test_ranks 2)
    set(few_ranks "with MPICH tests run on 2 ranks at most: more would spin on few cores")
  endif()
endif()
if(OVERLAPACK_SANITIZE AND overlapack_mpi_test_ranks GREATER 4)
  set(overlapack_mpi_test_ranks 4)
  set(few_ranks "with a sanitizer tests run on 4 processes at most: each is slow, and all share few cores")
endif()
if(NOT TARGET "${overlapack_mpi_plugin}")
  set(overlapack_mpi_plugin "")
  overlapack_skipped_test(engine_mpi "no MPI is found with its compiler and its mpirun (Debian: libopenmpi-dev openmpi-bin)")
elseif(few_ranks)
  overlapack_skipped_test(engine_mpi_many_ranks ${few_ranks})
endif()
if(OVERLAPACK_SANITIZE)
  overlapack_skipped_test(engine_smpi "a sanitizer does not know the stacks of SimGrid's ranks: nothing is simulated")
  overlapack_skipped_test(engine_shmem "a sanitizer does not know the memory of OpenSHMEM's ranks: that engine is not tested")
elseif(NOT overlapack_has_smpi)
  overlapack_skipped_test(engine_smpi "SimGrid is not found (Debian: libsimgrid-dev): nothing is simulated")
endif()
if(NOT OVERLAPACK_SANITIZE AND NOT overlapack_has_shmem)
  overlapack_skipped_test(engine_shmem "OpenSHMEM is not found (Debian: oshrun of openmpi-bin, liboshmem of libopenmpi-dev)")
endif()

# overlapack_mpi_test(NAME name COMMAND target [ARGS arg...] [RANKS p...] [LABEL label] [TIMEOUT seconds])
# One ctest entry a number of ranks: the target's program under mpirun. None where there is no MPI.
function(overlapack_mpi_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  if(NOT overlapack_mpi_plugin)
    return()
  endif()
  add_dependencies(${ARG_COMMAND} ${overlapack_mpi_plugin})
  foreach(ranks IN LISTS ARG_RANKS)
    if(ranks LESS_EQUAL overlapack_mpi_test_ranks)
      add_test(NAME ${ARG_NAME}_p${ranks} COMMAND ${OVERLAPACK_MPIRUN} -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
      overlapack_launched_test(${ARG_NAME}_p${ranks} "${ranks}" "${ARG_LABEL}" "${ARG_TIMEOUT}")
      set_tests_properties(${ARG_NAME}_p${ranks} PROPERTIES ENVIRONMENT "${overlapack_mpi_environment}")
    endif()
  endforeach()
endfunction()

# overlapack_other_mpi_test(...): the same under MPICH, where the tests' MPI is Open MPI and MPICH is there beside it.
find_program(OVERLAPACK_MPICH_MPIRUN NAMES mpirun.mpich mpiexec.mpich mpiexec.hydra)
mark_as_advanced(OVERLAPACK_MPICH_MPIRUN)
if(NOT (OVERLAPACK_MPICH_MPIRUN AND TARGET overlapack_mpich))
  overlapack_skipped_test(engine_mpich "MPICH is not found beside the tests' MPI (Debian: mpich libmpich-dev)" mpich)
endif()
function(overlapack_other_mpi_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  if(NOT (OVERLAPACK_MPICH_MPIRUN AND TARGET overlapack_mpich))
    return()
  endif()
  add_dependencies(${ARG_COMMAND} overlapack_mpich)
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks} COMMAND ${OVERLAPACK_MPICH_MPIRUN} -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} 2 "${ARG_LABEL}" "${ARG_TIMEOUT}")
  endforeach()
endfunction()

# overlapack_smpi_test(NAME name COMMAND module ... [PROGRESS calls|sender]): the same under SimGrid's smpirun, on a small cluster,
# with times that depend on the program alone. PROGRESS: long messages, here all above 64 bytes, need calls (docs/simulate.md).
function(overlapack_smpi_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT;PROGRESS" "ARGS;RANKS" ${ARGN})
  set(folder ${PROJECT_BINARY_DIR}/smpi)
  overlapack_write_cluster(${folder} 8)
  set(machine "")
  if(ARG_PROGRESS)
    set(machine OVERLAPACK_SIMULATED_MACHINE=${folder}/${ARG_PROGRESS}.json)
    overlapack_write_run(${folder}/${ARG_PROGRESS}.json ${ARG_PROGRESS})
    string(APPEND ARG_NAME _${ARG_PROGRESS})
  endif()
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${OVERLAPACK_SMPIRUN} -np ${ranks} -platform ${folder}/cluster.xml -hostfile ${folder}/hosts
                     --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:10Gf --cfg=smpi/grow-injected-times:no
                     --cfg=smpi/iprobe:2e-7 --log=root.thres:warning
                     $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} 1 "${ARG_LABEL}" "${ARG_TIMEOUT}")
    if(machine)
      set_property(TEST ${ARG_NAME}_p${ranks} APPEND PROPERTY ENVIRONMENT ${machine})
    endif()
  endforeach()
endfunction()

# overlapack_shmem_test(NAME name COMMAND program ...): the same under oshrun; as `overlapack --engine shmem` starts it, without random
# addresses, where that is allowed.
execute_process(COMMAND setarch -R true RESULT_VARIABLE overlapack_setarch_failed OUTPUT_QUIET ERROR_QUIET)
set(overlapack_without_random_addresses setarch -R)
if(overlapack_setarch_failed)
  set(overlapack_without_random_addresses "")
endif()
function(overlapack_shmem_test)
  cmake_parse_arguments(ARG "" "NAME;COMMAND;LABEL;TIMEOUT" "ARGS;RANKS" ${ARGN})
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${overlapack_without_random_addresses} ${OVERLAPACK_OSHRUN} --mca memory ^patcher -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} "${ranks}" "${ARG_LABEL}" "${ARG_TIMEOUT}")
  endforeach()
endfunction()

# overlapack_shmem_afar_test(NAME name COMMAND program ...): the same where no PE's memory is within the reach of loads and stores, and
# strided accesses are OpenSHMEM's own, some on each: as between nodes.
function(overlapack_shmem_afar_test)
  if(NOT overlapack_has_shmem)
    return()
  endif()
  cmake_parse_arguments(ARG "" "NAME;COMMAND" "RANKS;ARGS" ${ARGN})
  foreach(ranks IN LISTS ARG_RANKS)
    add_test(NAME ${ARG_NAME}_p${ranks}
             COMMAND ${overlapack_without_random_addresses} ${OVERLAPACK_OSHRUN} --mca memory ^patcher -x LD_PRELOAD=$<TARGET_FILE:shmem_afar>
                     -n ${ranks} $<TARGET_FILE:${ARG_COMMAND}> --engine shmem ${ARG_ARGS})
    overlapack_launched_test(${ARG_NAME}_p${ranks} "${ranks}" engine 300)
    set_tests_properties(${ARG_NAME}_p${ranks} PROPERTIES FAIL_REGULAR_EXPRESSION "(^|\n)0 strided accesses")
  endforeach()
endfunction()

function(overlapack_launched_test name processes label timeout)
  overlapack_default(label engine)
  overlapack_default(timeout 120)
  overlapack_time_limit(limit ${timeout})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT ${limit} PROCESSORS ${processes}
    ENVIRONMENT "${overlapack_launch_environment}")
endfunction()

# What `overlapack simulate` would write down for its ranks.
function(overlapack_write_run file progress)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
{"compute": {"flops_per_s": 1e10, "call_s": 0}, "kernels": {}, "memory_bytes_per_s": 1e10, "slow_ranks": {}, "slow_each_other_down": false,
 "noise": 0, "seed": 1, "ranks_per_node": 1, "processors_per_node": 1, "eager_bytes": 64, "receive_buffer_bytes": 65536, "phantom": false, "onesided": {"put_s": 0, "get_s": 0, "wire_s": 0},
 "progress": "@progress@", "columns_per_exchange": 1}
]])
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
