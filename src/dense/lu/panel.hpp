#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dense/lu/plan.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::dense {

/// What a factorised panel is, on each process of its column.
template <class T>
struct PanelFactor {
  std::vector<Index> pivots;  ///< width global row numbers, in the order of elimination
  std::vector<T> top;         ///< width x width: L11 (unit lower) \ U11, the same on every process of the column
  Index zero_pivot = -1;      ///< the first column (global) whose pivot is exactly zero, or -1
};

/// Columns [first, first + width) of A, rows from `first` on: P_k A(:, panel) = L U, partial pivoting, in place.
/// Rows are exchanged inside the panel only.
/// Shapes  width <= A's block, the panel inside one block column; a panel may have fewer rows than columns
/// Sync    collective over the process column that owns it; the others do not call
/// Cost    width^2 (rows - width / 3) flops; one combined pivot reduction a column: log2 P messages of 2 width words there
///         and back
/// Errors  none: a zero pivot is recorded, and the column left as it is (LAPACK's info)
/// Source  recursion by columns: Toledo 1997; HPL's pdrpan and pdpan, combined reduction and exchange as HPL's pdmxswp
template <class T>
PanelFactor<T> factor_panel(comm::Exchange& exchange, const dist::DistributedMatrix<T>& A, Index first, Index width,
                            const PanelPlan& plan, std::int64_t step);

}  // namespace overlapack::dense
