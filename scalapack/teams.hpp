#pragma once
#include "comm/team.hpp"
#include "program.hpp"

namespace overlapack::scalapack {

/// The team of the processes of a grid; rank r of the team is rank r of the grid's communicator. The team is opened at first use. Grids over the
/// same processes in the same order share one team, so that a program may make and free grids as often as it likes. All teams close when the
/// program ends MPI.
/// Sync    collective over the grid when the team is opened
/// Errors  BadPlan if the communicator cannot be obtained, or has processes outside MPI_COMM_WORLD
comm::Team& team_of(const Grid& grid);

}  // namespace overlapack::scalapack
