#pragma once
#include "base/random.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

/// The slow obvious twin of symbolic factorisation, and the matrices that both see.
namespace overlapack::twin {

/// filled[i][j]: whether L(i, j), i >= j, is structurally nonzero, for the matrix ordered by rows and columns.
using Pattern = std::vector<std::vector<bool>>;

/// Eliminates the dense pattern of B + B^T, B(i, j) = A(row_perm[i], col_perm[j]), column by column.
template <class T>
Pattern eliminate(const SparseMatrix<T>& A, const std::vector<Index>& row_perm,
                  const std::vector<Index>& col_perm) {
  const Index n = A.rows;
  std::vector<Index> row_position(n), col_position(n);
  for (Index k = 0; k < n; ++k) row_position[row_perm[k]] = col_position[col_perm[k]] = -1;
  for (Index k = 0; k < n; ++k) row_position[row_perm[k]] = k;
  for (Index k = 0; k < n; ++k) col_position[col_perm[k]] = k;
  Pattern filled(n, std::vector<bool>(n, false));
  for (Index j = 0; j < n; ++j) {
    filled[j][j] = true;
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      const Index r = row_position[A.row[k]], c = col_position[j];
      filled[std::max(r, c)][std::min(r, c)] = true;
    }
  }
  for (Index k = 0; k < n; ++k)
    for (Index i = k + 1; i < n; ++i)
      for (Index j = k + 1; j <= i; ++j)
        if (filled[i][k] && filled[j][k]) filled[i][j] = true;
  return filled;
}

inline Index lower_nnz(const Pattern& filled) {
  Index count = 0;
  for (const auto& row : filled) count += std::count(row.begin(), row.end(), true);
  return count;
}

/// Entries (i, j) with random values; duplicates are dropped. The diagonal is there and dominant if `diagonal`.
inline SparseMatrix<double> from_entries(Index n, std::vector<std::vector<bool>> pattern, Random& random) {
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (!pattern[i][j]) continue;
      A.row.push_back(i);
      A.value.push_back(i == j ? static_cast<double>(2 * n) : random.uniform(-1, 1));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

/// A dominant diagonal and about `per_row` other entries a row.
inline SparseMatrix<double> random_matrix(Index n, double per_row, Random& random, bool symmetric = false) {
  std::vector<std::vector<bool>> pattern(n, std::vector<bool>(n, false));
  for (Index i = 0; i < n; ++i) pattern[i][i] = true;
  const auto entries = static_cast<Index>(per_row * static_cast<double>(n));
  for (Index k = 0; k < entries; ++k) {
    const auto i = static_cast<Index>(random.below(n)), j = static_cast<Index>(random.below(n));
    pattern[i][j] = true;
    if (symmetric) pattern[j][i] = true;
  }
  SparseMatrix<double> A = from_entries(n, pattern, random);
  if (symmetric) A.symmetry = Symmetry::symmetric;
  return A;
}

/// The 7-point Laplacian on a k x k x k grid.
inline SparseMatrix<double> cube(Index k) {
  SparseMatrix<double> A;
  A.rows = A.cols = k * k * k;
  A.symmetry = Symmetry::symmetric;
  for (Index z = 0; z < k; ++z)
    for (Index y = 0; y < k; ++y)
      for (Index x = 0; x < k; ++x) {
        const Index j = x + k * (y + k * z);
        const auto add = [&](bool inside, Index i, double value) {
          if (!inside) return;
          A.row.push_back(i);
          A.value.push_back(value);
        };
        add(z > 0, j - k * k, -1);
        add(y > 0, j - k, -1);
        add(x > 0, j - 1, -1);
        add(true, j, 6.1);
        add(x + 1 < k, j + 1, -1);
        add(y + 1 < k, j + k, -1);
        add(z + 1 < k, j + k * k, -1);
        A.start.push_back(static_cast<Index>(A.row.size()));
      }
  return A;
}

inline std::vector<Index> random_permutation(Index n, Random& random) {
  std::vector<Index> p(n);
  std::iota(p.begin(), p.end(), Index{0});
  for (Index k = n - 1; k > 0; --k) std::swap(p[k], p[random.below(k + 1)]);
  return p;
}

inline bool is_permutation(const std::vector<Index>& p, Index n) {
  std::vector<Index> sorted = p;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Index> all(n);
  std::iota(all.begin(), all.end(), Index{0});
  return sorted == all;
}

}  // namespace overlapack::twin
