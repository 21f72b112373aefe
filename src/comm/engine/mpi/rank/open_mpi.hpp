#pragma once
#include "comm/team.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace overlapack::comm {

/// Ranks are processes started by mpirun or srun, or those of a communicator that the caller has. Collective. MPI is
/// loaded here and not before, started unless it runs, and ended with the process if it was started here.
/// To give a team up is local, on any thread (Site).
/// Errors  BadPlan without a launcher, without MPI, with an MPI that is not the launcher's, with a number of ranks
///         that is not the communicator's, or with options that differ between ranks; CommFailure if MPI fails
std::unique_ptr<Team> open_mpi(const TeamOptions& options);

/// Is this the engine that is linked here? "shmem" is, and is alone, in the programs that are linked with OpenSHMEM.
bool speaks(std::string_view engine);

/// One line for `overlapack info`: which MPI and plugin the engine would use, or why there is none. Loads them; does
/// not start MPI.
std::string describe_mpi();

}  // namespace overlapack::comm
