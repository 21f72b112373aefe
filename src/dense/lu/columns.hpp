#pragma once
#include "dense/lu/panel.hpp"

namespace overlapack::dense {

/// factor_panel column by column, each step a verb that all processes of the grid take part in: with the same pivots.
/// Shapes  as factor_panel; processes of other columns get the pivots, and a top of no use
/// Sync    collective over the grid
/// Cost    width^2 (rows - width / 3) flops; by supersteps, at most 4 a column and 2 at the end
/// Source  paper 4, section 2.1, Fig. 1: PSGETF2
template <class T>
PanelFactor<T> factor_columns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, std::int64_t number);

}  // namespace overlapack::dense
