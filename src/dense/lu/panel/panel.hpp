#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/moves/moves.hpp"

#include <span>
#include <vector>

namespace overlapack::dense {

/// A factorised panel, on each process of its process column.
template <class T>
struct PanelFactor {
  std::vector<Index>
      pivots;  ///< a global row number for each column (row, if there are fewer), in the order of elimination
  std::vector<T>
      top;  ///< width x width: L11 (unit lower) \ U11, the same on every process of the column; rows that A
            ///< does not have are zero
  Index zero_pivot = -1;  ///< the first column (global) whose pivot is exactly zero, or -1
};

/// Columns [first, first + width) of A, rows from `first` on: P_k A(:, panel) = L U, partial pivoting, in place.
/// Rows are exchanged inside the panel only.
/// Shapes  the panel inside one block column; it may have fewer rows than columns
///         key: its part and piece are the panel's
/// Sync    collective over the process column that owns it; the others do not call. Charges its work itself: not to be
///         called inside of a compute
/// Cost    width^2 (rows - width / 3) flops; a column costs ceil(log2 P) messages of 2 width words, one after the other
///         (none for P = 1)
/// Errors  BadPlan for a plan that divides nothing; none for the numbers: a zero pivot is recorded, and the column left as
///         it is (LAPACK's info); NaN is never a pivot if there is a number
/// Source  recursion by columns: Toledo 1997; orders, parts, combined search and exchange: HPL's pdrpan, pdpan, pdmxswp
template <class T>
PanelFactor<T> factor_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                            Index width, const PanelPlan& plan, const comm::Key& key);

}  // namespace overlapack::dense
