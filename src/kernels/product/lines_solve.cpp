#include "kernels/product/lines_solve.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/packed_triangle.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

/// Rows and columns of op(A) that one call of the small kernel takes. If A is used by columns (op none): as many columns as the
/// processor can fetch ahead and hold addresses for. If A is used by rows (trans): so many columns that the lines of X which they
/// meet stay in the second-level cache.
struct Piece {
  Index rows, columns;
};
Piece piece_size(Op op) { return op == Op::none ? Piece{64, 16} : Piece{8, 1024}; }

/// The triangle of op(A) whose equations and unknowns are counted from `first` in steps of `step` (-1: from the last one upwards).
template <class T>
PackedTriangle<T> packed_triangle(Op op, const ConstView<T>& A, bool unit, Index first, Index step) {
  const Index row = op == Op::none ? 1 : A.ld, column = op == Op::none ? A.ld : 1;
  return {A.cols, unit, [&](Index i, Index j) {
            const T& a = A.data[(first + step * i) * row + (first + step * j) * column];
            return op == Op::conj_trans ? conjugate(a) : a;
          }};
}

/// The part of op(A) with rows i .. i + m - 1 and columns j .. j + n - 1, as A stores it.
template <class T>
MatrixView<const T> stored_part(Op op, const ConstView<T>& A, Index i, Index j, Index m, Index n) {
  return op == Op::none ? A.block(i, j, m, n) : A.block(j, i, n, m);
}

/// Whether there is one right-hand side only. Its lines make a column, for which the matrix-vector kernels are faster.
template <class T>
bool is_column(MatrixView<T> X) {
  return X.rows == 1 && X.ld == 1;
}
template <class T>
MatrixView<T> as_column(MatrixView<T> X) {
  return {X.data, X.cols, 1, X.cols};
}

}  // namespace

template <class T>
Index line_length(Index count) {
  if (count == 1) return 1;
  const Index lanes = std::max<Index>(1, small::tables->register_bytes / static_cast<Index>(sizeof(T)));
  return (count + lanes - 1) / lanes * lanes;
}

template <class T>
void subtract_lines(Op op, ConstView<T> A, ConstView<T> X, bool accumulate, MatrixView<T> Y) {
  if (is_column(Y)) return gemm<T>(op, Op::none, T(-1), A, as_column(X), T(accumulate ? 1 : 0), as_column(Y));
  const auto [rows, columns] = piece_size(op);
  if (X.cols == 0 && !accumulate)
    for (Index i = 0; i < Y.cols; ++i) std::fill_n(Y.column(i), Y.rows, T(0));
  for (Index j = 0; j < X.cols; j += columns) {
    const Index n = std::min(columns, X.cols - j);
    for (Index i = 0; i < Y.cols; i += rows) {
      const Index m = std::min(rows, Y.cols - i);
      const MatrixView<const T> its = stored_part<T>(op, A, i, j, m, n);
      small::kernels<T>().gemm_once(Y.rows, m, n, X.column(j), X.ld, its.data, op == Op::none ? its.ld : 1,
                                    op == Op::none ? 1 : its.ld, op == Op::conj_trans, accumulate || j > 0,
                                    Y.column(i), Y.ld);
    }
  }
}

template <class T>
void solve_lines_lower(Op op, ConstView<T> A, bool unit, MatrixView<T> X) {
  const Index n = X.cols;
  if (X.empty()) return;
  if (is_column(X))
    return op == Op::none ? solve_left_lower<T>(A, unit, as_column(X))
                          : solve_left_upper_trans<T>(A, unit, op == Op::conj_trans, as_column(X));
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t = packed_triangle<T>(op, A, unit, 0, 1);
    return t.solve(X.rows, X.data, X.ld);
  }
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto first = X.block(0, 0, X.rows, h), second = X.block(0, h, X.rows, r);
  solve_lines_lower<T>(op, A.block(0, 0, h, h), unit, first);
  subtract_lines<T>(op, stored_part<T>(op, A, h, 0, r, h), first, true, second);
  solve_lines_lower<T>(op, A.block(h, h, r, r), unit, second);
}

template <class T>
void solve_lines_upper(Op op, ConstView<T> A, bool unit, MatrixView<T> X) {
  const Index n = X.cols, last = n - 1;
  if (X.empty()) return;
  if (is_column(X))
    return op == Op::none ? solve_left_upper<T>(A, unit, as_column(X))
                          : solve_left_lower_trans<T>(A, unit, op == Op::conj_trans, as_column(X));
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t = packed_triangle<T>(op, A, unit, last, -1);
    return t.solve(X.rows, X.column(last), -X.ld);
  }
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto first = X.block(0, 0, X.rows, h), second = X.block(0, h, X.rows, r);
  solve_lines_upper<T>(op, A.block(h, h, r, r), unit, second);
  subtract_lines<T>(op, stored_part<T>(op, A, 0, h, h, r), second, true, first);
  solve_lines_upper<T>(op, A.block(0, 0, h, h), unit, first);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                     \
  template Index line_length<T>(Index);                                                               \
  template void subtract_lines<T>(Op, MatrixView<const T>, MatrixView<const T>, bool, MatrixView<T>); \
  template void solve_lines_lower<T>(Op, MatrixView<const T>, bool, MatrixView<T>);                   \
  template void solve_lines_upper<T>(Op, MatrixView<const T>, bool, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
