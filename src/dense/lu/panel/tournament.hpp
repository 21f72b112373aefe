#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// factor_panel with pivots from a tournament: each process eliminates its own rows and offers those that it took as pivots, pairs
/// of offers are eliminated until one is left, and its rows are the pivots of the panel. One search a panel instead of one a
/// column. |L| may exceed 1, and U grow more than with partial pivoting: FactorResult::growth tells.
/// Shapes  as factor_panel
/// Sync    collective over the process column that owns it; in lockstep the others stand by (stand_by_tournament)
/// Cost    2 width^2 (rows / P + (1 + 2 log2 P) width) flops a process; ceil(log2 P) exchanges of width rows, one more for P that is
///         no power of two each way, and an interchange in the panel
/// Source  Grigori, Demmel, Xiang, CALU: a communication optimal LU factorization algorithm, SIAM J. Matrix Anal. 32 (2011)
template <class T>
PanelFactor<T> factor_by_tournament(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                                    Index width, const comm::Key& key);
template <class T>
void stand_by_tournament(dist::Moves<T>& moves, const comm::collective::Group& column);

}  // namespace overlapack::dense
