#pragma once
#include "sparse/multifrontal/front/front.hpp"

namespace overlapack::sparse::multifrontal {

/// A triangle of a front's factors as it is stored: F = L, or U^T, of pivots, delayed and border rows. It stands in the panel, whole or, as
/// the transpose of its upper part, beside the border rows of L21. Numbers of right-hand sides stand in lines, one a row of the front.
template <class T>
struct FrontTriangle {
  const Front<T>& front;
  bool is_whole = true;        ///< else LU's L
  bool is_unit = true;         ///< ones on its diagonal
  bool is_conjugated = false;  ///< F^H stands for F^T

  /// y <- F1^{-1} y of the pivots; the other lines are set to -F2 y, without border rows that are in strips.
  void forward(MatrixView<T> lines) const;
  /// x1 <- F1^{-T} (x1 - F2^T x2), without border rows that are in strips.
  void backward(MatrixView<T> lines) const;

  /// Y <- Y - op(F(row.., col..)) X, or without Y on the right.  Shapes  F: rows x cols, of pivots and delayed rows or of border rows
  void subtract(Index row, Index rows, Index col, Index cols, bool is_transposed, MatrixView<const T> X,
                bool accumulate, MatrixView<T> Y) const;
  /// X <- F(first.., first..)^{-1} X, or its transpose's.
  void solve(Index first, Index count, bool is_transposed, MatrixView<T> X) const;
};

}  // namespace overlapack::sparse::multifrontal
