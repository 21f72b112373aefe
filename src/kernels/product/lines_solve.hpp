#pragma once
#include "kernels/product/gemm.hpp"

/// Substitutions with many right-hand sides, stored transposed. X is k x n: its column i, called a line, holds unknown i of all k
/// right-hand sides. The processor's vectors run along lines, so that the kernels read a factor once and do not copy it, and the
/// bits of one right-hand side do not depend on the others.
namespace overlapack::kernels {

/// Length of a line for `count` right-hand sides: `count` rounded up to whole vectors of the processor, because a part of a
/// vector takes as long as a whole one. For one right-hand side it is 1, so that the lines make a column.
/// Shapes  0 < count <= the result
template <class T>
Index line_length(Index count);

/// For lines X_j, Y_i:  Y_i <- Y_i - sum_j op(A)(i, j) X_j;  with accumulate = false without the Y_i on the right.
/// Shapes  op(A): m x n, X: k x n, Y: k x m
/// Cost    2 k m n flops
template <class T>
void subtract_lines(Op op, ConstView<T> A, ConstView<T> X, bool accumulate, MatrixView<T> Y);

/// X <- op(A)^{-1} X for a triangle op(A): lower, solved from the first line to the last, or upper, from the last to the first.
/// Shapes  A: n x n, X: k x n
/// Cost    k n^2 flops
template <class T>
void solve_lines_lower(Op op, ConstView<T> A, bool unit, MatrixView<T> X);
template <class T>
void solve_lines_upper(Op op, ConstView<T> A, bool unit, MatrixView<T> X);

}  // namespace overlapack::kernels
