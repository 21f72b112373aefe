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

/// The component of each unknown.
std::vector<std::int32_t> component_of(const Components& components) {
  std::vector<std::int32_t> of(components.order.size());
  for (std::size_t c = 0; c + 1 < components.start.size(); ++c)
    for (std::int32_t k = components.start[c]; k < components.start[c + 1]; ++k)
      of[components.order[k]] = static_cast<std::int32_t>(c);
  return of;
}

/// The entries of A between unknowns of one component.
SparseMatrix<double> within(const SparseMatrix<double>& A, const std::vector<std::int32_t>& of) {
  SparseMatrix<double> B;
  B.rows = B.cols = A.rows;
  for (Index j = 0; j < A.cols; ++j) {
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (of[A.row[p]] == of[j]) B.row.push_back(A.row[p]), B.value.push_back(A.value[p]);
    B.start.push_back(B.nnz());
  }
  return B;
}

/// Bounds of one component.
struct ComponentBounds {
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  double low = 0, high = 0, largest = 0;  ///< in this step
  bool is_weakly_dominated = true, is_strict = false;

  bool is_dominated() const { return is_weakly_dominated && is_strict; }
  bool is_convergent() const { return upper < 1 || is_dominated(); }
};

/// Components in all of whose rows |a_ii| >= sum of |a_ij| over the component's other j, > in one.
template <class T>
void find_dominated(const SparseMatrix<T>& A, const std::vector<std::int32_t>& of,
                    std::vector<ComponentBounds>& blocks) {
  std::vector<double> diagonal(of.size()), others(of.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (of[A.row[p]] == of[j]) (A.row[p] == j ? diagonal : others)[A.row[p]] += std::abs(A.value[p]);
  for (std::size_t i = 0; i < of.size(); ++i) {
    ComponentBounds& block = blocks[of[i]];
    block.is_weakly_dominated = block.is_weakly_dominated && diagonal[i] >= others[i];
    block.is_strict = block.is_strict || diagonal[i] > others[i];
  }
}

/// One step of the power method on I + |M| in every block, and the bounds it gives.
void improve(const SparseMatrix<double>& M, const std::vector<std::int32_t>& of, double rounding,
             std::vector<double>& v, std::vector<ComponentBounds>& blocks) {
  std::vector<double> w(v.size(), 0.0);
  for (Index j = 0; j < M.cols; ++j)
    for (Index p = M.start[j]; p < M.start[j + 1]; ++p) w[M.row[p]] += M.value[p] * v[j];
  for (ComponentBounds& b : blocks) b.low = std::numeric_limits<double>::infinity(), b.high = b.largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    ComponentBounds& b = blocks[of[i]];
    b.low = std::min(b.low, w[i] / v[i]);
    b.high = std::max(b.high, w[i] / v[i]);
    v[i] += w[i];
    b.largest = std::max(b.largest, v[i]);
  }
  for (ComponentBounds& b : blocks) {
    b.lower = std::max(b.lower, b.low * (1 - rounding));
    b.upper = std::min(b.upper, b.high * (1 + rounding));
  }
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = std::max(v[i] / blocks[of[i]].largest, std::numeric_limits<double>::min());
}

/// Largest number of entries of a row, with some to spare, times eps: of the sum of a row.
double rounding_of_rows(const SparseMatrix<double>& M) {
  std::vector<double> entries(static_cast<std::size_t>(M.rows), 2.0);
  for (const Index i : M.row) ++entries[i];
  return entries.empty() ? 0 : *std::ranges::max_element(entries) * std::numeric_limits<double>::epsilon();
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
RadiusBounds bound_radius(const SparseMatrix<T>& A, const FindComponents& find_components, int steps) {
  const SparseMatrix<double> all = iteration_moduli(A);
  const Components components = find_components(all.start, all.row);
  const std::vector<std::int32_t> of = component_of(components);
  const SparseMatrix<double> M = within(all, of);
  std::vector<ComponentBounds> blocks(components.start.size() - 1);
  find_dominated(A, of, blocks);
  RadiusBounds bounds{.rounding = rounding_of_rows(M)};
  std::vector<double> v(of.size(), 1.0);
  for (int step = 0; step < steps; ++step) {
    improve(M, of, bounds.rounding, v, blocks);
    bounds.lower = bounds.upper = 0;
    for (const ComponentBounds& b : blocks) {
      bounds.lower = std::max(bounds.lower, b.lower);
      bounds.upper = std::max(bounds.upper, b.upper);
    }
    bounds.is_convergent = std::ranges::all_of(blocks, &ComponentBounds::is_convergent);
    if (bounds.is_convergent || bounds.is_divergent()) break;
  }
  return bounds;
}

#define OVERLAPACK_INSTANTIATE(T)                              \
  template std::vector<T> diagonal_of(const SparseMatrix<T>&); \
  template RadiusBounds bound_radius(const SparseMatrix<T>&, const FindComponents&, int);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
