#pragma once
#include "kernels/low_rank/low_rank_block.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <optional>
#include <vector>

/// Compression of blocks to low rank, B ~ X V, and products with them. Terms in single precision are converted to the type first.
namespace overlapack::kernels {

/// Work space of compress and of products; grows to what the largest needs.
template <class T>
struct LowRankSpace {
  std::vector<T> sample, basis, coefficients, rows;  ///< of compress
  Index tried = 0;                                   ///< columns of Omega that the last compress used
  std::vector<T> middle, side, scaled;               ///< of products
  std::vector<T> own_a, own_b;                       ///< their operands in the type's own precision
};

/// The rank from which X V has as many numbers as the block itself.
constexpr Index break_even_rank(Index m, Index n) { return m + n > 0 ? m * n / (m + n) : 0; }

/// Entries of Omega below: random signs, the same in every run.
template <class T>
std::vector<T> random_signs(Index count);

/// B ~ X V and ||B - X V||_F <= limit, up to rounding. X and V are views of `space`, valid until its next use.
/// Empty if the rank exceeds `most`, or will by the error's decrease in the first rounds, or if B has NaN.
///
///   while ||B||_F > limit:   Y = B Omega,   Q = orth(Y - X X^H Y),   B <- B - Q (Q^H B)
///
/// The error is not estimated: it is the remainder in B. At the end the rank is reduced as far as the limit allows; V, instead of
/// X, then has the orthonormal vectors (Gram-Schmidt with pivoting).
/// Shapes  B: m x n, overwritten; omega: random_signs, n x most of them at least
/// Cost    compress_cost(m, n, rank)
/// Source  Yu, Gu, Li, Efficient randomized algorithms for the fixed-precision low-rank matrix approximation, SIMAX 39 (2018)
template <class T>
std::optional<LowRank<T>> compress(MatrixView<T> B, double limit, Index most,
                                   const std::vector<Scalar<T>>& omega, LowRankSpace<Scalar<T>>& space);

/// D of L D L^T between two blocks, if there is one.
template <class T>
struct Middle {
  bool hermitian = false;
  const T* d = nullptr;  ///< null: the identity; as of ldlt_panel
  const T* d_off = nullptr;
};

/// C <- C - A D B^T  (B^H where conj); with is_lower only the lower triangle of a square C counts.
/// Shapes  A: m x k, B: n x k, D: k x k, C: m x n
/// Cost    low_rank_cost(A, B)
template <class T>
void subtract_product(const LowRank<T>& A, const Middle<T>& D, const LowRank<T>& B, bool conj, bool is_lower,
                      LowRankSpace<T>& space, MatrixView<T> C);

/// Y <- Y - B X, and  X <- X - B^T Y  (B^H where conj): the two sweeps of a solve.
/// Shapes  B: m x n, X: n x nrhs, Y: m x nrhs
template <class T>
void subtract_low_rank_times(const LowRank<T>& B, ConstView<T> X, LowRankSpace<T>& space, MatrixView<T> Y);
template <class T>
void subtract_low_rank_trans_times(const LowRank<T>& B, bool conj, ConstView<T> Y, LowRankSpace<T>& space,
                                   MatrixView<T> X);

template <class T>
constexpr Cost compress_cost(Index m, Index n, Index rank) {
  const double dm = m, dn = n, dr = rank;
  return cost_of<T>(3 * dm * dn * dr + 2 * dm * dr * dr, dm * dn);
}

/// Cost of subtracting A D B^T from a full matrix.
template <class T>
Cost low_rank_cost(const LowRank<T>& A, const LowRank<T>& B) {
  const double m = A.rows(), n = B.rows(), k = A.cols(), a = A.rank(), b = B.rank();
  double multiply_adds = m * n * (A.is_full ? b : B.is_full ? a : std::min(a, b));
  if (A.is_full && B.is_full) multiply_adds = m * n * k;
  if (A.is_full != B.is_full) multiply_adds += A.is_full ? m * k * b : n * k * a;
  if (!A.is_full && !B.is_full) multiply_adds += a * b * k + (a <= b ? n : m) * a * b;
  return cost_of<T>(multiply_adds, 2 * m * n);
}

}  // namespace overlapack::kernels
