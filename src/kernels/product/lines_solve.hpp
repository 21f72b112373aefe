#pragma once
#include "kernels/product/gemm.hpp"

/// Substitutions with right-hand sides side by side. X is k x n: column i is a line, the i-th unknown of all k right-hand sides. The
/// vectors of the processor run along lines, so a factor is read once, where it is; and the bits of one right-hand side do not
/// depend on the others.
namespace overlapack::kernels {

/// Distance of lines that are whole vectors of the processor: the rest of a vector takes as long as a whole one. One right-hand side
/// has lines of 1, which make a column.
/// Shapes  0 < count <= the result
template <class T>
Index line_length(Index count);

/// Y_i <- Y_i - sum_j op(A)(i, j) X_j, or without Y_i on the right.  Shapes  op(A): m x n, X: k x n, Y: k x m
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
