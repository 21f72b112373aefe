#pragma once
#include "arguments.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "plan.hpp"

#include <functional>

namespace overlapack::scalapack {

/// Thrown for a call that is legal but not served here. The routine of the next library then takes it.
struct NotServed {
  int info;  ///< for a program without such a routine
};

/// The place of a process in the team and the grid of a call, which the work of the call needs.
struct Position {
  comm::Rank& rank;
  const dist::ProcessGrid& grid;
  dist::GridPosition me;
  const dense::LuPlan& plan;
};

/// Run `work`, which returns info, on the team of a grid. If an argument is illegal on any process, return the info that names it instead.
/// Sync    collective over the grid
/// Errors  NotServed; BadPlan before anything is changed; else what the work throws
int run(const Grid& grid, const ArgumentCheck& check, const std::function<int(const Position&)>& work);

}  // namespace overlapack::scalapack
