#pragma once
#include "dense/check/column_source.hpp"

#include <span>

namespace overlapack::dense {

/// Norms that measure a solution of A x = b.
struct ResidualNorms {
  double residual = 0;  ///< ||A x - b||_oo
  double matrix_inf = 0, matrix_one = 0;
  double x_inf = 0, x_one = 0;
  double b_inf = 0;
  double backward_error = 0;  ///< max_i |A x - b|_i / (|A| |x| + |b|)_i

  /// ||A x - b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n)
  /// Source  HPL 2.3
  double scaled(Index n, double eps) const;
};

/// Norms of x, of [A | b] as it was before the solve, and of the residual.
/// Shapes  Ab: n x (n + 1); x: n, the same on every rank
/// Sync    collective over the team; ranks outside of Ab's grid have an empty part of it; the result is on rank 0
template <class T>
ResidualNorms residual_norms(comm::Rank& rank, const dist::DistributedMatrix<T>& Ab, ColumnSource<T> columns,
                             std::span<const T> x);

}  // namespace overlapack::dense
