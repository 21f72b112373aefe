#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"
#include "dist/moves/move_times.hpp"

namespace overlapack::dense {

/// A square matrix and how it is distributed, as far as time depends on it.
struct LuShape {
  Index n = 0, block = 1;
  int P = 1, Q = 1;              ///< process rows and columns
  double entry_bytes = 8;        ///< of a scalar
  double flops_of_multiply = 2;  ///< a multiplication and an addition of scalars: 8 if complex
};

/// Predicted seconds of lu_factor on the schedules flat, look-ahead and split, from the costs of moves: the sum over
/// panels of the serial parts of a step. For comparing disciplines; formulas and accuracy: docs/dense.md.
/// Cost    a few operations a panel
double predicted_seconds(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times);

}  // namespace overlapack::dense
