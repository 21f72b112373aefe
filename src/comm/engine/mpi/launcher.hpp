#pragma once
#include <string>

namespace overlapack::comm::mpi {

/// What the environment tells of the program that started this process.
struct Launcher {
  enum class Family { none, open_mpi, mpich, unknown } family = Family::none;
  int size = 0;               ///< how many processes it started; 0: not told
  std::string variable = {};  ///< where that stands
};

/// Open MPI's mpirun sets OMPI_COMM_WORLD_SIZE; MPICH's, and srun with PMI, set PMI_RANK and PMI_SIZE; srun with PMIx
/// sets PMIX_RANK, and the size stands in SLURM_STEP_NUM_TASKS.
Launcher find_launcher();

/// Is this the first of the processes that a launcher started, or the only one? Looks at the environment only.
bool is_first_by_environment();

}  // namespace overlapack::comm::mpi
