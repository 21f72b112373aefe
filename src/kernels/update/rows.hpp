#pragma once
#include "kernels/product/operand.hpp"

#include <span>

/// Copies of rows given by their numbers. They work column by column, since a column's entries are in few pages of memory.
namespace overlapack::kernels {

/// B(k, :) <- A(rows[k], :).
/// Shapes  B: rows.size() x n, A: m x n
template <class T>
void gather_rows(ConstView<T> A, std::span<const Index> rows, MatrixView<T> B);

/// A(rows[k], :) <- B(k, :).
template <class T>
void scatter_rows(ConstView<T> B, std::span<const Index> rows, MatrixView<T> A);

/// A(to[k], :) <- A(from[k], :) for all k at once: every row is read before any is written.
/// Shapes  to, from: the same length; no row twice in `to`
/// Cost    each row is read once and written once
template <class T>
void move_rows(std::span<const Index> to, std::span<const Index> from, MatrixView<T> A);

}  // namespace overlapack::kernels
