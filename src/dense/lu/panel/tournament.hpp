#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// factor_panel with pivots from a tournament: each process eliminates its own rows and offers its pivot rows. Pairs of offers are merged
/// by elimination until one is left, which has the panel's pivot rows. So a panel needs one search instead of one for each column.
/// Entries of L may exceed 1, and U may grow more than with partial pivoting: see FactorResult::growth.
/// Shapes  as factor_panel
/// Sync    collective over the process column that owns the panel; in lockstep the other process columns call
///         take_part_in_syncs_of_tournament
/// Cost    2 width^2 (rows / P + (1 + 2 log2 P) width) flops a process; ceil(log2 P) exchanges of width rows, one more each
///         way for P that is no power of two, and an interchange in the panel
/// Source  Grigori, Demmel, Xiang, CALU: a communication optimal LU factorization algorithm, SIAM J. Matrix Anal. 32 (2011)
template <class T>
PanelFactor<T> factor_by_tournament(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                                    Index width, const comm::Key& key);
template <class T>
void take_part_in_syncs_of_tournament(dist::Moves<T>& moves, const comm::collective::Group& column);

}  // namespace overlapack::dense
