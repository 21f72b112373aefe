#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"
#include "dist/moves/move_times.hpp"

namespace overlapack::dense {

/// Order, blocks, grid and scalars of a square matrix: what the predicted time depends on.
struct LuShape {
  Index n = 0, block = 1;
  int P = 1, Q = 1;              ///< process rows and columns
  double entry_bytes = 8;        ///< of a scalar
  double flops_of_multiply = 2;  ///< a multiplication and an addition of scalars: 8 if complex
};

/// Predicted seconds of lu_factor on the schedules flat, look-ahead and split: the sum over the panels of the parts of a step that do
/// not overlap. It serves to compare disciplines; docs/dense.md has the formulas and their accuracy.
/// Cost    a few operations a panel
double predicted_seconds(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times);

}  // namespace overlapack::dense
