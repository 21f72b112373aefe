#pragma once
#include "comm/team.hpp"
#include "program.hpp"

namespace overlapack::scalapack {

/// The team over the processes of a grid, rank r being rank r of the grid's communicator; opened at first use. Grids over
/// the same processes in the same order share one, so that a program may make and free grids as often as it likes. All
/// close when the program ends MPI.
/// Sync    collective over the grid when it is opened
/// Errors  BadPlan when the communicator cannot be had, or reaches beyond MPI_COMM_WORLD
comm::Team& team_of(const Grid& grid);

}  // namespace overlapack::scalapack
