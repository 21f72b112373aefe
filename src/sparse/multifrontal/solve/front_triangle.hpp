#pragma once
#include "sparse/multifrontal/front/front.hpp"

namespace overlapack::sparse::multifrontal {

/// A triangular factor F of a front as it is stored, L or U^T, with its pivot, delayed and border rows. It
/// stands whole in the panel (L of a symmetric matrix, U^T of LU). L of LU stands as the transpose of the
/// panel's upper part, with its border rows in L21. Right-hand sides stand in lines: column i of a matrix of
/// lines has the numbers of row i of the front.
template <class T>
struct FrontTriangle {
  const Front<T>& front;
  bool is_whole = true;        ///< else LU's L
  bool is_unit = true;         ///< ones on its diagonal
  bool is_conjugated = false;  ///< F^H stands for F^T

  /// y <- F1^{-1} y of the pivots; the other lines are set to -F2 y, or to 0 for border rows that are in
  /// strips.
  void forward(MatrixView<T> lines) const;
  /// x1 <- F1^{-T} (x1 - F2^T x2), without border rows that are in strips.
  void backward(MatrixView<T> lines) const;

  /// Y <- Y - op(F(row.., col..)) X; with accumulate = false  Y <- -op(F(row.., col..)) X.
  /// Shapes  F(row.., col..): rows x cols, all of them border rows or none
  void subtract(Index row, Index rows, Index col, Index cols, bool is_transposed, MatrixView<const T> X,
                bool accumulate, MatrixView<T> Y) const;
  /// X <- F(first.., first..)^{-1} X, or with the inverse of the transpose.
  void solve(Index first, Index count, bool is_transposed, MatrixView<T> X) const;
};

}  // namespace overlapack::sparse::multifrontal
