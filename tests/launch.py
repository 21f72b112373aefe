"""Programs under mpirun, whichever MPI it is of; what tests/launched_test.cmake sets for the tests in C++."""
import os
import shutil

# Tests are of the kernels that a user gets. Those of another processor are told of at the end of a run, and doctor calls them wrong.
os.environ.pop("OPENBLAS_CORETYPE", None)

# Open MPI 4 and 5: root may start ranks, more of them than cores, and they yield while they wait. MPICH has no such variables.
# RES_OPTIONS is the C library's: a machine whose own name is in no hosts file would wait 5 s and more for a name server.
# LSAN_OPTIONS: in a build with a sanitizer, what MPI libraries leave to the end of the process is not told from leaks of ours.
ENVIRONMENT = dict(
    os.environ,
    LSAN_OPTIONS="detect_leaks=0",
    RES_OPTIONS="timeout:1 attempts:1",
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
    OMPI_MCA_hwloc_base_binding_policy="none",
    PRTE_MCA_hwloc_default_binding_policy="none",
    OMPI_MCA_mpi_yield_when_idle="1",
)

MPIRUN = next(filter(None, map(shutil.which, ("mpirun.openmpi", "mpirun", "mpirun.mpich", "mpiexec.hydra"))), None)


def mpirun(ranks, *command):
    """The words that start `command` on so many ranks."""
    return [MPIRUN, "-n", str(ranks), *map(str, command)]
