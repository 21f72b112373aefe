#pragma once
#include "dense/check/column_source.hpp"
#include "dense/check/entry_sizes.hpp"

#include <span>

namespace overlapack::dense {

/// How good x is as the solution of a least squares problem.
struct Optimality {
  double residual_norm = 0;  ///< ||b - A x||_2
  /// max_j |a_j^H (b - A x)| / (||a_j||_1 (sum_k ||a_k||_oo |x_k| + ||b||_oo)), with a_j column j of A. It is 0 if x minimises
  /// ||b - A x||_2, never above 1, and independent of the scaling of the columns
  double gradient = 0;
};

/// Measures how nearly x is optimal; residuals are summed in a longer format.
/// Shapes  A: m x n; x: n, the same on every rank; b: m, on rank 0, ignored elsewhere
/// Sync    collective over the team; ranks outside of A's grid have an empty part of it; the result is on every rank
template <class T>
Optimality optimality(comm::Rank& rank, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
                      const EntrySizes& sizes, std::span<const T> x, std::span<const T> b);

}  // namespace overlapack::dense
