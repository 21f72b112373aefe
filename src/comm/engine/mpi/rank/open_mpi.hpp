#pragma once
#include "comm/team.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace overlapack::comm {

/// Open a team whose ranks are processes started by mpirun or srun, or those of the caller's communicator. Collective. The MPI
/// library is loaded here and not before, initialised unless it is, and then finalised at the end of the process.
/// Destroying the team is local, on any thread (Site).
/// Errors  BadPlan without a launcher, without MPI, with an MPI that is not the launcher's, with a number of ranks
///         that is not the communicator's, or with options that differ between ranks; CommFailure if MPI fails
std::unique_ptr<Team> open_mpi(const TeamOptions& options);

/// Whether this build has that engine: programs linked with OpenSHMEM have only "shmem", others do not have it.
bool has_engine(std::string_view engine);

/// One line for `overlapack info`: which MPI and plugin the engine would use, or why there is none. Loads them; does
/// not start MPI.
std::string describe_mpi();

}  // namespace overlapack::comm
