#pragma once
#include "base/random.hpp"
#include "kernels/sparse/sparse_residual.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cmath>
#include <vector>

/// Small systems for the tests of iterations, the same on every rank.
namespace overlapack::comm::conformance {

template <class T>
T random_number(Random& random) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(Real<T>(random.uniform(-1, 1)), Real<T>(random.uniform(-1, 1)));
  else
    return T(random.uniform(-1, 1));
}

/// About 4 entries a column beside a diagonal `dominance` times their sum by rows; the pattern is unsymmetric.
template <class T>
SparseMatrix<T> random_matrix(Index n, double dominance, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<T>> a(static_cast<std::size_t>(n), std::vector<T>(static_cast<std::size_t>(n)));
  for (Index j = 0; j < n; ++j)
    for (int k = 0; k < 4; ++k) a[random.below(static_cast<std::uint64_t>(n))][j] = random_number<T>(random);
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  for (Index i = 0; i < n; ++i) {
    double sum = 0.1;
    a[i][i] = T(0);
    for (const T& x : a[i]) sum += std::abs(x);
    a[i][i] = T(Real<T>((i % 2 ? dominance : -dominance) * sum));
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      if (a[i][j] != T(0)) A.row.push_back(i), A.value.push_back(a[i][j]);
    A.start.push_back(A.nnz());
  }
  return A;
}

template <class T>
double relative_residual(const SparseMatrix<T>& A, const std::vector<T>& x, const std::vector<T>& b) {
  std::vector<T> r(b.size());
  std::vector<Real<T>> weight(b.size());
  kernels::residual(A, std::span<const T>(x), std::span<const T>(b), std::span<T>(r),
                    std::span<Real<T>>(weight));
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) rr += std::norm(r[i]), bb += std::norm(b[i]);
  return bb > 0 ? std::sqrt(rr / bb) : std::sqrt(rr);
}

inline std::vector<int> distributed(Index n, int ranks, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> owner;
  for (Index i = 0; i < n; ++i)
    owner.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(ranks))));
  return owner;
}

}  // namespace overlapack::comm::conformance
