#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// factor_panel column by column, each step a verb: with the same pivots. Simulated by shapes, the verbs of
/// columns_together() columns may be used once for all of them.
/// Shapes  as factor_panel; in lockstep processes of other columns get the pivots, and a top of no use
/// Sync    collective over the process column that owns it; in lockstep, over the grid
/// Cost    width^2 (rows - width / 3) flops; by supersteps, at most 4 a column and 2 at the end; by messages a search (up and
///         down a tree), an exchange of two rows and a broadcast a column, and a broadcast at the end
/// Source  paper 4, section 2.1, Fig. 1: PSGETF2
template <class T>
PanelFactor<T> factor_columns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, std::int64_t number);

}  // namespace overlapack::dense
