#pragma once
#include "kernels/low_rank/low_rank_block.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <optional>
#include <vector>

/// Compression of blocks to low rank, B ~ X V, and products with such blocks. Products convert terms in single precision to the
/// block's own type first.
namespace overlapack::kernels {

/// Work space of compress and of products; it grows to what the largest block needs.
template <class T>
struct LowRankSpace {
  std::vector<T> sample, basis, coefficients, rows;  ///< used by compress
  Index tried = 0;                                   ///< columns of Omega that the last compress used
  std::vector<T> middle, side, scaled;               ///< used by products
  std::vector<T> own_a, own_b;                       ///< operands of products in the type's own precision
};

/// The rank at which X and V together have as many numbers as the block itself.
constexpr Index break_even_rank(Index m, Index n) { return m + n > 0 ? m * n / (m + n) : 0; }

/// Entries of the random matrix Omega of compress: random signs, the same in every run.
template <class T>
std::vector<T> random_signs(Index count);

/// Compresses B ~ X V with ||B - X V||_F <= limit, up to rounding. X and V are views of `space`, valid until its next use.
/// Returns nothing if the rank exceeds `most`, if the decrease of the error in the first rounds tells that it will, or if B has
/// NaN.
///
///   while ||B||_F > limit:   Y = B Omega,   Q = orth(Y - X X^H Y),   B <- B - Q (Q^H B)
///
/// The error is not an estimate: it is the norm of the remainder, which is in B. At the end the rank is reduced as far as the
/// limit allows, by Gram-Schmidt with pivoting; afterwards the rows of V are orthonormal instead of the columns of X.
/// Shapes  B: m x n, overwritten; omega: random_signs(count) with count >= n most
/// Cost    compress_cost(m, n, rank)
/// Source  Yu, Gu, Li, Efficient randomized algorithms for the fixed-precision low-rank matrix approximation, SIMAX 39 (2018)
template <class T>
std::optional<LowRank<T>> compress(MatrixView<T> B, double limit, Index most,
                                   const std::vector<Scalar<T>>& omega, LowRankSpace<Scalar<T>>& space);

/// The D of L D L^T between two blocks, or the identity.
template <class T>
struct Middle {
  bool hermitian = false;
  const T* d = nullptr;  ///< null: the identity; else as ldlt_panel returns it
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
