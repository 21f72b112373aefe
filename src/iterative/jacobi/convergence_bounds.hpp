#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace overlapack::iterative {

/// Unknowns grouped by strongly connected components: component c has order[start[c]] .. order[start[c + 1] - 1].
struct Components {
  std::vector<std::int32_t> order, start{0};
};
/// Finds the strongly connected components of a square pattern stored by columns (start, row).
using FindComponents = std::function<Components(std::span<const Index> start, std::span<const Index> row)>;

/// Bounds of rho(|M|), M = -D^-1 (L + U). Asynchronous iterations converge from any start and with any delays if and only if
/// rho(|M|) < 1. The synchronous iteration needs only rho(M) < 1, and rho(M) <= rho(|M|).
/// Source  Chazan and Miranker 1969; paper 5, section 2
struct RadiusBounds {
  double lower = 0, upper = 0;  ///< lower <= rho(|M|) <= upper, rounding included
  /// Each component either has an upper bound below 1 or is diagonally dominant: in each of its rows |d| >= the sum of the other
  /// moduli inside the component, and > in at least one row.
  bool is_convergent = true;
  double rounding = 0;  ///< relative rounding error of the bounds

  bool is_divergent() const { return lower >= 1; }
  /// Whether the bounds have met at 1 up to rounding, so that rho(|M|) = 1 is likely.
  bool is_one() const {
    return !is_divergent() && !is_convergent && lower >= 1 - 4 * rounding && upper <= 1 + 4 * rounding;
  }
};

/// Computes the bounds. rho(|M|) is the largest spectral radius of the diagonal blocks of |M| that belong to strongly connected
/// components. Each block is bounded by Collatz-Wielandt: min_i (N v)_i / v_i <= rho(N) <= max_i (N v)_i / v_i for any N >= 0 and
/// positive v. The first N is |M| with v = ones, which needs sums of rows. Then N = |D^-1 (L + U)^T|, which has the same radius
/// and whose rows are columns of A, with v from the power method on I + N, until the bounds decide or `steps` steps are done.
/// Shapes  A: square, non-zero diagonal, rows ascending
/// Cost    the search for components, and a product with A for each step
/// Errors  BadInput if a number on the diagonal is zero
/// Source  Collatz 1942, Wielandt 1950; Varga, Matrix Iterative Analysis, section 2.1 and (dominance) theorem 1.21
template <class T>
RadiusBounds bound_radius(const SparseMatrix<T>& A, const FindComponents& find_components, int steps);

/// D, the numbers on the diagonal.
/// Errors  BadInput if one is zero or missing
template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& A);

}  // namespace overlapack::iterative
