#pragma once
#include "iterative/multisplitting/schwarz_block.hpp"
#include "random_system.hpp"

#include <complex>
#include <vector>

/// The obvious twin of multisplitting, on dense matrices, and positive definite systems for it.
namespace overlapack::comm::conformance {

using iterative::RowNumbers;
using iterative::SchwarzPlan;

template <class T>
using Dense = std::vector<std::vector<T>>;  // by rows

template <class T>
Dense<T> dense(const SparseMatrix<T>& A) {
  Dense<T> a(static_cast<std::size_t>(A.rows), std::vector<T>(static_cast<std::size_t>(A.cols), T(0)));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) a[A.row[p]][j] = A.value[p];
  return a;
}

template <class T>
SparseMatrix<T> sparse_from(const Dense<T>& a, Symmetry symmetry = Symmetry::general) {
  SparseMatrix<T> A;
  A.rows = A.cols = std::ssize(a);
  A.symmetry = symmetry;
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i][j] != T(0)) A.row.push_back(Index(i)), A.value.push_back(a[i][j]);
    A.start.push_back(A.nnz());
  }
  return A;
}

/// Gaussian elimination with row exchanges, as in every textbook.
template <class T>
std::vector<T> eliminate(Dense<T> a, std::vector<T> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const T f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// k steps of restricted additive Schwarz on dense matrices: x_W += omega (A_SS^-1 (b - A x)_S)_W for all blocks at once.
template <class T>
std::vector<T> schwarz_twin(const SparseMatrix<T>& A, const std::vector<T>& b, const std::vector<int>& owner,
                            int ranks, const SchwarzPlan& plan, int steps) {
  const Dense<T> a = dense(A);
  std::vector<T> x(b.size(), T(0));
  for (int step = 0; step < steps; ++step) {
    std::vector<T> residual = b, next = x;
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) residual[i] -= a[i][j] * x[j];
    for (int r = 0; r < ranks; ++r) {
      const iterative::RowDistribution<T> deal(A, owner, ranks);
      const RowNumbers S =
          iterative::extended_rows(deal, deal.rows_of_rank[static_cast<std::size_t>(r)], plan.overlap);
      Dense<T> block(S.size(), std::vector<T>(S.size()));
      std::vector<T> rhs;
      for (std::size_t i = 0; i < S.size(); ++i) {
        rhs.push_back(residual[S[i]]);
        for (std::size_t j = 0; j < S.size(); ++j) block[i][j] = a[S[i]][S[j]];
      }
      const std::vector<T> d = eliminate(block, rhs);
      for (std::size_t i = 0; i < S.size(); ++i)
        if (owner[S[i]] == r) next[S[i]] += Real<T>(plan.damping) * d[i];
    }
    x = next;
  }
  return x;
}

/// Hermitian and dominant with a positive diagonal.
template <class T>
SparseMatrix<T> positive_matrix(Index n, std::uint64_t seed) {
  Dense<T> a = dense(random_matrix<T>(n, 0, seed));
  const auto conj = [](const T& x) {
    if constexpr (ScalarTraits<T>::is_complex)
      return std::conj(x);
    else
      return x;
  };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const T sum = a[i][j] + conj(a[j][i]);
      a[i][j] = sum;
      a[j][i] = conj(sum);
    }
  for (Index j = 0; j < n; ++j) {
    double sum = 0.5;
    a[j][j] = T(0);
    for (Index i = 0; i < n; ++i) sum += std::abs(a[i][j]);
    a[j][j] = T(Real<T>(sum));
  }
  return sparse_from(a, ScalarTraits<T>::is_complex ? Symmetry::hermitian : Symmetry::symmetric);
}

}  // namespace overlapack::comm::conformance
