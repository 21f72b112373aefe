#include "iterative/jacobi/convergence_bounds.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace overlapack::iterative {

namespace {

/// |M| by columns.
template <class T>
SparseMatrix<double> iteration_moduli(const SparseMatrix<T>& A) {
  const std::vector<T> diagonal = diagonal_of(A);
  SparseMatrix<double> M;
  M.rows = M.cols = A.rows;
  for (Index j = 0; j < A.cols; ++j) {
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const Index i = A.row[p];
      if (i == j || A.value[p] == T(0)) continue;
      M.row.push_back(i);
      M.value.push_back(std::abs(A.value[p]) / static_cast<double>(std::abs(diagonal[i])));
    }
    M.start.push_back(M.nnz());
  }
  return M;
}

SparseMatrix<double> transposed(const SparseMatrix<double>& A) {
  SparseMatrix<double> B;
  B.rows = B.cols = A.rows;
  B.start.assign(static_cast<std::size_t>(A.rows) + 1, 0);
  B.row.resize(A.row.size());
  B.value.resize(A.value.size());
  for (const Index i : A.row) ++B.start[i + 1];
  for (Index i = 0; i < A.rows; ++i) B.start[i + 1] += B.start[i];
  std::vector<Index> at(B.start.begin(), B.start.end() - 1);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      B.row[at[A.row[p]]] = j;
      B.value[at[A.row[p]]++] = A.value[p];
    }
  return B;
}

/// Number of nodes reachable from node 0 along the columns.
Index reachable(const SparseMatrix<double>& A) {
  if (A.rows == 0) return 0;
  std::vector<bool> is_seen(static_cast<std::size_t>(A.rows));
  std::vector<Index> open{0};
  is_seen[0] = true;
  Index count = 0;
  while (!open.empty()) {
    const Index j = open.back();
    open.pop_back();
    ++count;
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (!is_seen[A.row[p]]) is_seen[A.row[p]] = true, open.push_back(A.row[p]);
  }
  return count;
}

bool is_irreducible(const SparseMatrix<double>& A) {
  return reachable(A) == A.rows && reachable(transposed(A)) == A.rows;
}

/// |a_ii| >= sum of |a_ij| over j other than i in every row, > in one.
template <class T>
bool is_dominant(const SparseMatrix<T>& A) {
  std::vector<double> diagonal(static_cast<std::size_t>(A.rows)), others(diagonal.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      (A.row[p] == j ? diagonal : others)[A.row[p]] += std::abs(A.value[p]);
  bool is_strict = false;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (diagonal[i] < others[i]) return false;
    is_strict = is_strict || diagonal[i] > others[i];
  }
  return is_strict;
}

}  // namespace

template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& A) {
  std::vector<T> diagonal(static_cast<std::size_t>(A.rows), T(0));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] == j) diagonal[j] = A.value[p];
  const auto zero = std::ranges::find(diagonal, T(0));
  if (zero != diagonal.end())
    throw Error(Status::bad_input,
                "row " + std::to_string(zero - diagonal.begin()) +
                    " has a zero on the diagonal, by which Jacobi's method would divide; reorder the "
                    "equations, or use method "
                    "multifrontal");
  return diagonal;
}

template <class T>
RadiusBounds bound_radius(const SparseMatrix<T>& A, int steps) {
  const SparseMatrix<double> M = iteration_moduli(A);
  const std::size_t n = static_cast<std::size_t>(A.rows);
  std::vector<double> v(n, 1.0), w(n);
  std::vector<double> entries(n, 2.0);  // of each row, for the rounding of its sum
  for (const Index i : M.row) ++entries[i];
  const double rounding =
      n == 0 ? 0 : *std::ranges::max_element(entries) * std::numeric_limits<double>::epsilon();
  RadiusBounds bounds{.upper = n == 0 ? 0 : std::numeric_limits<double>::infinity(),
                      .is_irreducibly_dominant = is_dominant(A) && is_irreducible(M)};
  const auto is_known = [&] { return bounds.is_convergent() || bounds.is_divergent(); };
  for (int step = 0; step < steps && n > 0 && (step == 0 || !is_known()); ++step) {
    std::ranges::fill(w, 0.0);
    for (Index j = 0; j < M.cols; ++j)
      for (Index p = M.start[j]; p < M.start[j + 1]; ++p) w[M.row[p]] += M.value[p] * v[j];
    double low = std::numeric_limits<double>::infinity(), high = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      low = std::min(low, w[i] / v[i]);
      high = std::max(high, w[i] / v[i]);
      v[i] += w[i];
      largest = std::max(largest, v[i]);
    }
    bounds.lower = std::max(bounds.lower, low * (1 - rounding));
    bounds.upper = std::min(bounds.upper, high * (1 + rounding));
    for (double& x : v) x = std::max(x / largest, std::numeric_limits<double>::min());
  }
  return bounds;
}

#define OVERLAPACK_INSTANTIATE(T)                              \
  template std::vector<T> diagonal_of(const SparseMatrix<T>&); \
  template RadiusBounds bound_radius(const SparseMatrix<T>&, int);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
