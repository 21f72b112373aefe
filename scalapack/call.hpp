#pragma once
#include "arguments.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "plan.hpp"

#include <functional>

namespace overlapack::scalapack {

/// Thrown for a call that is legal, but not served here: the next library's routine takes it.
struct NotServed {
  int info;  ///< for a program without such a routine
};

/// What the work of a call needs, on every process of the grid.
struct Position {
  comm::Rank& rank;
  const dist::ProcessGrid& grid;
  dist::GridPosition me;
  const dense::LuPlan& plan;
};

/// Run `work`, which returns info, on the team of a grid, unless the arguments are illegal anywhere: then info says which.
/// Sync    collective over the grid
/// Errors  NotServed; BadPlan before anything is changed; else what the work throws
int run(const Grid& grid, const ArgumentCheck& check, const std::function<int(const Position&)>& work);

}  // namespace overlapack::scalapack
