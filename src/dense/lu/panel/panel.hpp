#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/moves/moves.hpp"

#include <span>
#include <vector>

namespace overlapack::dense {

/// What each process of the owning process column knows of a factorised panel, besides its own rows in A.
template <class T>
struct PanelFactor {
  /// By column of the panel: the global number of the row that became its pivot row; fewer if A has fewer rows.
  std::vector<Index> pivots;
  /// width x width: L11 (unit lower) \ U11, the same on every process of the column; rows that A does not have are zero.
  std::vector<T> top;
  Index zero_pivot = -1;  ///< the first column (global) whose pivot is exactly zero, or -1
};

/// Factorises the panel of columns [first, first + width) of A and rows from `first` on: P_k A(:, panel) = L U by partial pivoting, in
/// place. Rows are exchanged inside the panel only.
/// Shapes  the panel is inside one block column; it may have fewer rows than columns
///         key: of the panel's messages; part and piece are free for use here
/// Sync    collective over the process column that owns the panel; other process columns do not call. It charges its work
///         itself, so that it must not be called inside a compute
/// Cost    width^2 (rows - width / 3) flops; a column costs ceil(log2 P) messages of 2 width words, one after the other
///         (none for P = 1)
/// Errors  BadPlan for a plan that divides nothing; none for the numbers: a zero pivot is recorded, and its column left as
///         it is (LAPACK's info); NaN is a pivot only if there is no number
/// Source  recursion by columns: Toledo 1997; orders, parts, combined search and exchange: HPL's pdrpan, pdpan, pdmxswp
template <class T>
PanelFactor<T> factor_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                            Index width, const PanelPlan& plan, const comm::Key& key);

}  // namespace overlapack::dense
