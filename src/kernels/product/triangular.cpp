#include "kernels/product/triangular.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/packed_triangle.hpp"
#include "kernels/product/sizes.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::kernels {
namespace {

/// Number of right-hand sides solved together, so that they stay in the second-level cache through all levels of the recursion.
/// If the triangle is too large for that, there is no limit: the recursion halves the triangle first.
template <class T>
Index strip_width(Index rows) {
  constexpr Index cached = sizes::solve_cache_bytes / static_cast<Index>(sizeof(T));
  const Index width = cached / std::max<Index>(rows, 1) / sizes::triangle * sizes::triangle;
  return width < sizes::least_solve_columns ? std::numeric_limits<Index>::max() : width;
}

template <class T, class Solve>
void solve_in_strips(MatrixView<T> X, Solve solve) {
  const Index width = strip_width<T>(X.rows);
  for (Index first = 0; first < X.cols; first += width)
    solve(X.block(0, first, X.rows, std::min(width, X.cols - first)));
}

Op transposing_op(bool conj) { return conj ? Op::conj_trans : Op::trans; }

/// Left solve with a packed triangle: strips of X are transposed, so that right-hand sides fill the vectors.
/// row(p): the row of X that is eliminated as number p.
template <class T, class Row>
void solve_left_base(const PackedTriangle<T>& t, MatrixView<T> X, Row row) {
  constexpr Index strip = sizes::solve_strip;
  T transposed[strip * sizes::triangle];
  for (Index first = 0; first < X.cols; first += strip) {
    const Index count = std::min(strip, X.cols - first);
    for (Index j = 0; j < count; ++j)
      for (Index p = 0; p < X.rows; ++p) transposed[j + strip * p] = X(row(p), first + j);
    t.solve(count, transposed, strip);
    for (Index j = 0; j < count; ++j)
      for (Index p = 0; p < X.rows; ++p) X(row(p), first + j) = transposed[j + strip * p];
  }
}

/// op(M)(i, p)
template <Op op, class T>
T entry(MatrixView<const T> M, Index i, Index p) {
  return op == Op::none ? M(i, p) : op == Op::trans ? M(p, i) : conjugate(M(p, i));
}

/// X <- op(M)^{-1} X for a lower triangle op(M).
template <Op op, class T>
void solve_downwards(ConstView<T> M, bool unit, MatrixView<T> X) {
  const Index n = M.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_downwards<op>(M, unit, strip); });
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return entry<op>(M, i, p); });
    return solve_left_base(t, X, [](Index p) { return p; });
  }
  // L11 X1 = B1,  L22 X2 = B2 - L21 X1, with L = op(M)
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_downwards<op>(M.block(0, 0, h, h), unit, X1);
  gemm(op, Op::none, T(-1), op == Op::none ? M.block(h, 0, r, h) : M.block(0, h, h, r), X1, T(1), X2);
  solve_downwards<op>(M.block(h, h, r, r), unit, X2);
}

/// X <- op(M)^{-1} X for an upper triangle op(M).
template <Op op, class T>
void solve_upwards(ConstView<T> M, bool unit, MatrixView<T> X) {
  const Index n = M.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_upwards<op>(M, unit, strip); });
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return entry<op>(M, n - 1 - i, n - 1 - p); });
    return solve_left_base(t, X, [n](Index p) { return n - 1 - p; });
  }
  // U22 X2 = B2,  U11 X1 = B1 - U12 X2, with U = op(M)
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_upwards<op>(M.block(h, h, r, r), unit, X2);
  gemm(op, Op::none, T(-1), op == Op::none ? M.block(0, h, h, r) : M.block(h, 0, r, h), X2, T(1), X1);
  solve_upwards<op>(M.block(0, 0, h, h), unit, X1);
}

}  // namespace

template <class T>
void solve_right_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  const Index n = L.cols;
  if (X.empty()) return;
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return conj ? conjugate(L(i, p)) : L(i, p); });
    return t.solve(X.rows, X.data, X.ld);
  }
  // [X1 X2] [L11 0; L21 L22]^T = [B1 B2]:  X1 L11^T = B1,  X2 L22^T = B2 - X1 L21^T
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto X1 = X.block(0, 0, X.rows, h), X2 = X.block(0, h, X.rows, r);
  solve_right_lower_trans(L.block(0, 0, h, h), unit, conj, X1);
  gemm(Op::none, transposing_op(conj), T(-1), X1, L.block(h, 0, r, h), T(1), X2);
  solve_right_lower_trans(L.block(h, h, r, r), unit, conj, X2);
}

template <class T>
void solve_right_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  const Index n = U.cols;
  if (X.empty()) return;
  if (n <= sizes::triangle) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return U(p, i); });
    return t.solve(X.rows, X.data, X.ld);
  }
  // [X1 X2] [U11 U12; 0 U22] = [B1 B2]:  X1 U11 = B1,  X2 U22 = B2 - X1 U12
  const Index h = sizes::first_part(n, sizes::triangle), r = n - h;
  const auto X1 = X.block(0, 0, X.rows, h), X2 = X.block(0, h, X.rows, r);
  solve_right_upper(U.block(0, 0, h, h), unit, X1);
  gemm(Op::none, Op::none, T(-1), X1, U.block(0, h, h, r), T(1), X2);
  solve_right_upper(U.block(h, h, r, r), unit, X2);
}

template <class T>
void solve_left_lower(ConstView<T> L, bool unit, MatrixView<T> X) {
  solve_downwards<Op::none>(L, unit, X);
}

template <class T>
void solve_left_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  conj ? solve_upwards<Op::conj_trans>(L, unit, X) : solve_upwards<Op::trans>(L, unit, X);
}

template <class T>
void solve_left_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  solve_upwards<Op::none>(U, unit, X);
}

template <class T>
void solve_left_upper_trans(ConstView<T> U, bool unit, bool conj, MatrixView<T> X) {
  conj ? solve_downwards<Op::conj_trans>(U, unit, X) : solve_downwards<Op::trans>(U, unit, X);
}

#define OVERLAPACK_INSTANTIATE(T)                                                           \
  template void solve_right_lower_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>); \
  template void solve_right_upper<T>(MatrixView<const T>, bool, MatrixView<T>);             \
  template void solve_left_lower<T>(MatrixView<const T>, bool, MatrixView<T>);              \
  template void solve_left_lower_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>);  \
  template void solve_left_upper<T>(MatrixView<const T>, bool, MatrixView<T>);              \
  template void solve_left_upper_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
