#include "kernels/low_rank/low_rank.hpp"

#include "base/instantiate.hpp"
#include "base/random.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace overlapack::kernels {
namespace {

/// ||x||_2^2 in double, in which no square of a single-precision number underflows; by several partial sums, so that it is
/// vectorised.
template <class T>
double column_norm2_square(Index n, const T* x) {
  constexpr Index together = 8;
  double sums[together] = {};
  const auto add = [&](Index to, const T& value) {
    const double re = std::real(value), im = std::imag(value);
    sums[to] += re * re + im * im;
  };
  Index i = 0;
  for (; i + together <= n; i += together)
    for (Index l = 0; l < together; ++l) add(l, x[i + l]);
  for (; i < n; ++i) add(0, x[i]);
  return std::accumulate(sums, sums + together, 0.0);
}

template <class T>
double norm2_square(ConstView<T> B) {
  double sum = 0;
  for (Index j = 0; j < B.cols; ++j) sum += column_norm2_square(B.rows, B.column(j));
  return sum;
}

/// Y <- an orthonormal basis of its columns; a column that depends on those before it becomes zero.
template <class T>
void orthonormalise(MatrixView<T> Y) {
  // if less than this share of the square is left, it is only rounding errors
  constexpr double lost = 1e-10;
  for (Index j = 0; j < Y.cols; ++j) {
    const double before = column_norm2_square(Y.rows, Y.column(j));
    T coefficients[sizes::sample_columns];
    for (int pass = 0; pass < 2 && j > 0; ++pass) {
      const MatrixView<T> c{coefficients, j, 1, sizes::sample_columns};
      gemm<T>(Op::conj_trans, Op::none, T(1), Y.block(0, 0, Y.rows, j), Y.block(0, j, Y.rows, 1), T(0), c);
      gemm<T>(Op::none, Op::none, T(-1), Y.block(0, 0, Y.rows, j), c, T(1), Y.block(0, j, Y.rows, 1));
    }
    const double after = column_norm2_square(Y.rows, Y.column(j));
    const T scale = after > lost * before ? T(1 / std::sqrt(after)) : T(0);
    for (Index i = 0; i < Y.rows; ++i) Y(i, j) *= scale;
  }
}

/// Y <- Y - X X^H Y
template <class T>
void subtract_projection(ConstView<T> X, std::vector<T>& space, MatrixView<T> Y) {
  if (X.cols == 0) return;
  const MatrixView<T> c = work_view(space, X.cols, Y.cols);
  gemm<T>(Op::conj_trans, Op::none, T(1), X, Y, T(0), c);
  gemm<T>(Op::none, Op::none, T(-1), X, c, T(1), Y);
}

/// Reduces the rank: X V ~ (X C) W with as few rows of W as the limit allows. V = C W + remainder by Gram-Schmidt on the rows of
/// V, the largest remaining row first. X is orthonormal, so that the squared error grows by the square of the remainder. X and V
/// become X C and W; returns the number of rows of W. Work space: rows: n x r, scaled: r x r, sample: m x r, middle: 1 x r
template <class T>
Index truncate_rank(MatrixView<T> X, MatrixView<T> V, double error_square, double enough,
                    LowRankSpace<T>& space) {
  const Index r = V.rows, n = V.cols;
  const MatrixView<T> R = work_view(space.rows, n, r), C = work_view(space.scaled, r, r);
  std::vector<double> size(static_cast<std::size_t>(r));
  std::vector<Index> row(size.size());  // row[i]: the row of V whose remainder is column i of R
  std::iota(row.begin(), row.end(), Index{0});
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < n; ++j) R(j, i) = V(i, j);
    std::fill_n(C.column(i), r, T(0));
  }
  Index k = 0;
  for (; k < r; ++k) {
    for (Index i = k; i < r; ++i) size[static_cast<std::size_t>(i)] = column_norm2_square(n, R.column(i));
    const auto rest = size.begin() + k;
    if (error_square + std::accumulate(rest, size.end(), 0.0) <= enough) break;
    const Index largest = std::max_element(rest, size.end()) - size.begin();
    std::swap(row[static_cast<std::size_t>(k)], row[static_cast<std::size_t>(largest)]);
    if (largest > k) std::swap_ranges(R.column(k), R.column(k) + n, R.column(largest));
    const T norm = T(std::sqrt(size[static_cast<std::size_t>(largest)]));
    for (Index j = 0; j < n; ++j) R(j, k) /= norm;
    C(row[static_cast<std::size_t>(k)], k) = norm;
    if (k + 1 == r) continue;
    const MatrixView<T> left = R.block(0, k + 1, n, r - k - 1);
    const MatrixView<T> c = work_view(space.middle, 1, left.cols);
    gemm<T>(Op::conj_trans, Op::none, T(1), R.block(0, k, n, 1), left, T(0), c);
    gemm<T>(Op::none, Op::none, T(-1), R.block(0, k, n, 1), c, T(1), left);
    for (Index i = 0; i < left.cols; ++i) C(row[static_cast<std::size_t>(k + 1 + i)], k) = c(0, i);
  }
  const MatrixView<T> made = work_view(space.sample, X.rows, k);
  gemm<T>(Op::none, Op::none, T(1), X, C.block(0, 0, r, k), T(0), made);
  for (Index i = 0; i < k; ++i) {
    std::copy_n(made.column(i), X.rows, X.column(i));
    for (Index j = 0; j < n; ++j) V(i, j) = R(j, i);
  }
  return k;
}

/// Whether the rank would exceed `most` if the error went on falling at its present rate; with a margin of a quarter.
bool will_exceed_break_even_rank(double first_square, double square, double enough, Index rank, Index most) {
  if (!(square < first_square)) return true;
  const double decades = std::log(first_square / square), needed = std::log(first_square / enough);
  return static_cast<double>(rank) * needed > 1.25 * static_cast<double>(most) * decades;
}

/// B D for the D of ldlt_panel; B itself if D is the identity.
template <class T>
MatrixView<const T> multiply_by_middle(MatrixView<const T> B, const Middle<T>& D, std::vector<T>& space) {
  if (D.d == nullptr) return B;
  const MatrixView<T> scaled = work_view(space, B.rows, B.cols);
  const auto size = static_cast<std::size_t>(B.cols);
  scale_by_d<T>(B, D.hermitian, {D.d, size}, {D.d_off, size}, scaled);
  return scaled;
}

/// C <- C - A B^T of full matrices.
template <class T>
void subtract_full_product(MatrixView<const T> A, MatrixView<const T> B, bool conj, bool is_lower,
                           MatrixView<T> C) {
  const Op op = conj ? Op::conj_trans : Op::trans;
  if (is_lower) return gemm_lower<T>(op, T(-1), A, B, T(1), C);
  gemm<T>(Op::none, op, T(-1), A, B, T(1), C);
}

}  // namespace

template <class T>
std::vector<T> random_signs(Index count) {
  std::vector<T> signs(static_cast<std::size_t>(count));
  Random random(20171);
  for (T& sign : signs) sign = T((random.next() >> 63) != 0 ? 1 : -1);
  return signs;
}

template <class T>
std::optional<LowRank<T>> compress(MatrixView<T> B, double limit, Index most,
                                   const std::vector<Scalar<T>>& omega, LowRankSpace<Scalar<T>>& space) {
  const Index m = B.rows, n = B.cols;
  const MatrixView<T> X = work_view(space.basis, m, most), V = work_view(space.coefficients, most, n);
  const double enough = limit * limit, first_square = norm2_square<T>(B);
  double left_square = first_square;
  Index rank = space.tried = 0;
  while (!(left_square <= enough)) {
    const Index r = std::min(sizes::sample_columns, most - rank);
    const bool tells = rank >= 2 * sizes::sample_columns;
    if (r <= 0 || (tells && will_exceed_break_even_rank(first_square, left_square, enough, rank, most)))
      return std::nullopt;
    const MatrixView<T> Q = X.block(0, rank, m, r), its_V = V.block(rank, 0, r, n);
    const MatrixView<const T> before = X.block(0, 0, m, rank), its_omega{omega.data() + rank * n, n, r, n};
    gemm<T>(Op::none, Op::none, T(-1), B, its_omega, T(0), Q);
    subtract_projection<T>(before, space.sample, Q);
    orthonormalise(Q);
    gemm<T>(Op::conj_trans, Op::none, T(1), Q, B, T(0), its_V);
    gemm<T>(Op::none, Op::none, T(-1), Q, its_V, T(1), B);
    left_square = norm2_square<T>(B);
    space.tried = rank += r;
  }
  rank = truncate_rank<T>(X.block(0, 0, m, rank), V.block(0, 0, rank, n), left_square, enough, space);
  return LowRank<T>{X.block(0, 0, m, rank), V.block(0, 0, rank, n), false};
}

// A D B^T = X_A (V_A D V_B^T) X_B^T, computed from the inside out. A full block counts as V with X = I.
template <class T>
void subtract_product(const LowRank<T>& stored_A, const Middle<T>& D, const LowRank<T>& stored_B, bool conj,
                      bool is_lower, LowRankSpace<T>& space, MatrixView<T> C) {
  const LowRank<T> A = widened_to_own_precision(stored_A, space.own_a),
                   B = widened_to_own_precision(stored_B, space.own_b);
  const Op op = conj ? Op::conj_trans : Op::trans;
  const MatrixView<const T> inner_a = A.is_full ? A.X : A.V;
  const MatrixView<const T> inner_b = B.is_full ? B.X : B.V;
  if (C.empty() || inner_a.rows == 0 || inner_b.rows == 0) return;
  if (A.is_full && B.is_full)
    return subtract_full_product<T>(multiply_by_middle(A.X, D, space.scaled), B.X, conj, is_lower, C);
  const bool scales_a = inner_a.rows <= inner_b.rows;
  // D is symmetric, or Hermitian where B is conjugated: D B^T = (B D)^T, D B^H = (B D)^H
  const MatrixView<const T> a = scales_a ? multiply_by_middle(inner_a, D, space.scaled) : inner_a;
  const MatrixView<const T> b = scales_a ? inner_b : multiply_by_middle(inner_b, D, space.scaled);
  const MatrixView<T> M = work_view(space.middle, a.rows, b.rows);
  gemm<T>(Op::none, op, T(1), a, b, T(0), M);  // V_A D V_B^T
  if (A.is_full) return subtract_full_product<T>(M, B.X, conj, is_lower, C);
  if (B.is_full) return gemm<T>(Op::none, Op::none, T(-1), A.X, M, T(1), C);
  if (M.rows <= M.cols) {
    const MatrixView<T> side = work_view(space.side, M.rows, B.rows());
    gemm<T>(Op::none, op, T(1), M, B.X, T(0), side);
    return gemm<T>(Op::none, Op::none, T(-1), A.X, side, T(1), C);
  }
  const MatrixView<T> side = work_view(space.side, A.rows(), M.cols);
  gemm<T>(Op::none, Op::none, T(1), A.X, M, T(0), side);
  subtract_full_product<T>(side, B.X, conj, is_lower, C);
}

template <class T>
void subtract_low_rank_times(const LowRank<T>& stored, ConstView<T> X, LowRankSpace<T>& space,
                             MatrixView<T> Y) {
  const LowRank<T> B = widened_to_own_precision(stored, space.own_b);
  if (B.is_full) return gemm<T>(Op::none, Op::none, T(-1), B.X, X, T(1), Y);
  if (B.V.rows == 0) return;
  const MatrixView<T> middle = work_view(space.middle, B.V.rows, X.cols);
  gemm<T>(Op::none, Op::none, T(1), B.V, X, T(0), middle);
  gemm<T>(Op::none, Op::none, T(-1), B.X, middle, T(1), Y);
}

template <class T>
void subtract_low_rank_trans_times(const LowRank<T>& stored, bool conj, ConstView<T> Y,
                                   LowRankSpace<T>& space, MatrixView<T> X) {
  const LowRank<T> B = widened_to_own_precision(stored, space.own_b);
  const Op op = conj ? Op::conj_trans : Op::trans;
  if (B.is_full) return gemm<T>(op, Op::none, T(-1), B.X, Y, T(1), X);
  if (B.V.rows == 0) return;
  const MatrixView<T> middle = work_view(space.middle, B.X.cols, Y.cols);
  gemm<T>(op, Op::none, T(1), B.X, Y, T(0), middle);
  gemm<T>(op, Op::none, T(-1), B.V, middle, T(1), X);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                          \
  template std::vector<T> random_signs(Index);                                                             \
  template std::optional<LowRank<T>> compress(MatrixView<T>, double, Index, const std::vector<T>&,         \
                                              LowRankSpace<T>&);                                           \
  template void subtract_product(const LowRank<T>&, const Middle<T>&, const LowRank<T>&, bool, bool,       \
                                 LowRankSpace<T>&, MatrixView<T>);                                         \
  template void subtract_low_rank_times(const LowRank<T>&, ConstView<T>, LowRankSpace<T>&, MatrixView<T>); \
  template void subtract_low_rank_trans_times(const LowRank<T>&, bool, ConstView<T>, LowRankSpace<T>&,     \
                                              MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
