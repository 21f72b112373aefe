#include "kernels/product/triangular.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/packed_triangle.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::kernels {
namespace {

constexpr Index triangle_base = small::base_width;

/// Number of right-hand sides solved together, so that they stay in the second-level cache through all levels of the
/// recursion. Triangles too large for that are halved first.
template <class T>
Index strip_width(Index rows) {
  constexpr Index cached = Index{256 << 10} / static_cast<Index>(sizeof(T)), narrowest = 64;
  const Index width = cached / std::max<Index>(rows, 1) / triangle_base * triangle_base;
  return width < narrowest ? std::numeric_limits<Index>::max() : width;
}

template <class T, class Solve>
void solve_in_strips(MatrixView<T> X, Solve solve) {
  const Index width = strip_width<T>(X.rows);
  for (Index first = 0; first < X.cols; first += width)
    solve(X.block(0, first, X.rows, std::min(width, X.cols - first)));
}

Op transposed(bool conj) { return conj ? Op::conj_trans : Op::trans; }

/// Left solve with a packed triangle: strips of X transposed, so that its columns fill the vectors.
/// row(p): the row of X that is eliminated p-th.
template <class T, class Row>
void solve_left_base(const PackedTriangle<T>& t, MatrixView<T> X, Row row) {
  constexpr Index strip = 32;
  T transposed[strip * triangle_base];
  for (Index first = 0; first < X.cols; first += strip) {
    const Index count = std::min(strip, X.cols - first);
    for (Index j = 0; j < count; ++j)
      for (Index p = 0; p < X.rows; ++p) transposed[j + strip * p] = X(row(p), first + j);
    small::kernels<T>().solve_rows(count, static_cast<int>(X.rows), t.entries, transposed, strip);
    for (Index j = 0; j < count; ++j)
      for (Index p = 0; p < X.rows; ++p) X(row(p), first + j) = transposed[j + strip * p];
  }
}

template <class T, class Entry>
void solve_downwards(bool unit, MatrixView<T> X, Entry entry) {
  solve_left_base(PackedTriangle<T>(X.rows, unit, entry), X, [](Index p) { return p; });
}

template <class T, class Entry>
void solve_upwards(bool unit, MatrixView<T> X, Entry entry) {
  const Index last = X.rows - 1;
  const PackedTriangle<T> t(X.rows, unit, [&](Index i, Index p) { return entry(last - i, last - p); });
  solve_left_base(t, X, [last](Index p) { return last - p; });
}

}  // namespace

template <class T>
void solve_right_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  const Index n = L.cols;
  if (X.empty()) return;
  if (n <= triangle_base) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return conj ? conjugate(L(i, p)) : L(i, p); });
    return small::kernels<T>().solve_rows(X.rows, static_cast<int>(n), t.entries, X.data, X.ld);
  }
  // [X1 X2] [L11 0; L21 L22]^T = [B1 B2]:  X1 L11^T = B1,  X2 L22^T = B2 - X1 L21^T
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, X.rows, h), X2 = X.block(0, h, X.rows, r);
  solve_right_lower_trans(L.block(0, 0, h, h), unit, conj, X1);
  gemm(Op::none, transposed(conj), T(-1), X1, L.block(h, 0, r, h), T(1), X2);
  solve_right_lower_trans(L.block(h, h, r, r), unit, conj, X2);
}

template <class T>
void solve_right_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  const Index n = U.cols;
  if (X.empty()) return;
  if (n <= triangle_base) {
    const PackedTriangle<T> t(n, unit, [&](Index i, Index p) { return U(p, i); });
    return small::kernels<T>().solve_rows(X.rows, static_cast<int>(n), t.entries, X.data, X.ld);
  }
  // [X1 X2] [U11 U12; 0 U22] = [B1 B2]:  X1 U11 = B1,  X2 U22 = B2 - X1 U12
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, X.rows, h), X2 = X.block(0, h, X.rows, r);
  solve_right_upper(U.block(0, 0, h, h), unit, X1);
  gemm(Op::none, Op::none, T(-1), X1, U.block(0, h, h, r), T(1), X2);
  solve_right_upper(U.block(h, h, r, r), unit, X2);
}

template <class T>
void solve_left_lower(ConstView<T> L, bool unit, MatrixView<T> X) {
  const Index n = L.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_left_lower<T>(L, unit, strip); });
  if (n <= triangle_base) return solve_downwards(unit, X, [&](Index i, Index p) { return L(i, p); });
  // L11 X1 = B1,  L22 X2 = B2 - L21 X1
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_lower(L.block(0, 0, h, h), unit, X1);
  gemm(Op::none, Op::none, T(-1), L.block(h, 0, r, h), X1, T(1), X2);
  solve_left_lower(L.block(h, h, r, r), unit, X2);
}

template <class T>
void solve_left_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  const Index n = L.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_left_lower_trans<T>(L, unit, conj, strip); });
  if (n <= triangle_base)
    return solve_upwards(unit, X, [&](Index i, Index p) { return conj ? conjugate(L(p, i)) : L(p, i); });
  // L22^T X2 = B2,  L11^T X1 = B1 - L21^T X2
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_lower_trans(L.block(h, h, r, r), unit, conj, X2);
  gemm(transposed(conj), Op::none, T(-1), L.block(h, 0, r, h), X2, T(1), X1);
  solve_left_lower_trans(L.block(0, 0, h, h), unit, conj, X1);
}

template <class T>
void solve_left_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  const Index n = U.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_left_upper<T>(U, unit, strip); });
  if (n <= triangle_base) return solve_upwards(unit, X, [&](Index i, Index p) { return U(i, p); });
  // U22 X2 = B2,  U11 X1 = B1 - U12 X2
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_upper(U.block(h, h, r, r), unit, X2);
  gemm(Op::none, Op::none, T(-1), U.block(0, h, h, r), X2, T(1), X1);
  solve_left_upper(U.block(0, 0, h, h), unit, X1);
}

template <class T>
void solve_left_upper_trans(ConstView<T> U, bool unit, bool conj, MatrixView<T> X) {
  const Index n = U.cols;
  if (X.empty()) return;
  if (X.cols > strip_width<T>(n))
    return solve_in_strips(X, [&](MatrixView<T> strip) { solve_left_upper_trans<T>(U, unit, conj, strip); });
  if (n <= triangle_base)
    return solve_downwards(unit, X, [&](Index i, Index p) { return conj ? conjugate(U(p, i)) : U(p, i); });
  // U11^T X1 = B1,  U22^T X2 = B2 - U12^T X1
  const Index h = first_part(n), r = n - h;
  const auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_upper_trans(U.block(0, 0, h, h), unit, conj, X1);
  gemm(transposed(conj), Op::none, T(-1), U.block(0, h, h, r), X1, T(1), X2);
  solve_left_upper_trans(U.block(h, h, r, r), unit, conj, X2);
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
