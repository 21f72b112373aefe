#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace overlapack::iterative {

/// Unknowns by strongly connected components: those of component c are order[start[c]] .. order[start[c + 1]).
struct Components {
  std::vector<std::int32_t> order, start{0};
};
/// Finds them in a square pattern by columns (start, row).
using FindComponents = std::function<Components(std::span<const Index> start, std::span<const Index> row)>;

/// Bounds of rho(|M|), M = -D^-1 (L + U). Asynchronous iterations converge from any start, whatever the delays, if and
/// only if rho(|M|) < 1; the synchronous one needs rho(M) <= rho(|M|) below 1 only.
/// Source  Chazan and Miranker 1969; paper 5, section 2
struct RadiusBounds {
  double lower = 0, upper = 0;  ///< lower <= rho(|M|) <= upper, rounding included
  /// Each component either has a radius below 1 by its own bounds or is dominated: in each of its rows |d| >= the sum of
  /// the component's other moduli, > in one.
  bool is_convergent = true;
  double rounding = 0;  ///< relative, of the bounds

  bool is_divergent() const { return lower >= 1; }
  /// Whether the bounds have met at 1, as far as they can.
  bool is_one() const {
    return !is_divergent() && !is_convergent && lower >= 1 - 4 * rounding && upper <= 1 + 4 * rounding;
  }
};

/// The radius is the largest of those of the diagonal blocks of |M| by strongly connected components. Of each block, by
/// Collatz-Wielandt: min_i (N v)_i / v_i <= rho(|M|) <= max_i (N v)_i / v_i for any positive v and N >= 0 of that radius: first
/// of |M| and ones, which takes the sums of rows; then of N = D^-1 (L + U)^T in moduli, whose rows are columns of A, and v by the
/// power method on I + N, until the bounds decide, at most `steps` steps.
/// Shapes  A: square, non-zero diagonal, rows ascending
/// Cost    the components, and a product with A a step
/// Errors  BadInput if a number on the diagonal is zero
/// Source  Collatz 1942, Wielandt 1950; Varga, Matrix Iterative Analysis, section 2.1 and (dominance) theorem 1.21
template <class T>
RadiusBounds bound_radius(const SparseMatrix<T>& A, const FindComponents& find_components, int steps);

/// D, the numbers on the diagonal.
/// Errors  BadInput: a row without one
template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& A);

}  // namespace overlapack::iterative
