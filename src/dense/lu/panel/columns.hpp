#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// factor_panel column by column, as an alternative with the same pivots: search, row swap and update are a move each. A simulation by
/// shapes may charge the moves of columns_charged_together() columns at once.
/// Shapes  as factor_panel; in lockstep (supersteps) the other process columns get the pivots too, but their top is
///         meaningless
/// Sync    collective over the process column that owns the panel; in lockstep, over the grid
/// Cost    width^2 (rows - width / 3) flops; in supersteps, at most 4 a column and 2 at the end; by messages, each column costs
///         a search (up and down a tree), an exchange of two rows and a broadcast, and the end a broadcast
/// Source  paper 4, section 2.1, Fig. 1: PSGETF2
template <class T>
PanelFactor<T> factor_columns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, std::int64_t number);

}  // namespace overlapack::dense
