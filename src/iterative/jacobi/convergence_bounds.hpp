#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::iterative {

/// Bounds of rho(|M|), M = -D^-1 (L + U). Asynchronous iterations converge from any start, whatever the delays, if and
/// only if rho(|M|) < 1; the synchronous one needs rho(M) <= rho(|M|) below 1 only.
/// Source  Chazan and Miranker 1969; paper 5, section 2
struct RadiusBounds {
  double lower = 0, upper = 0;  ///< lower <= rho(|M|) <= upper, rounding included
  /// A irreducible, in every row |d| >= the sum of the other moduli, > in one: rho < 1
  bool is_irreducibly_dominant = false;

  bool is_convergent() const { return upper < 1 || is_irreducibly_dominant; }
  bool is_divergent() const { return lower >= 1; }
};

/// Collatz-Wielandt: min_i (|M| v)_i / v_i <= rho(|M|) <= max_i (|M| v)_i / v_i for any positive v; v by the power
/// method on I + |M|, until the bounds decide, at most `steps` steps.
/// Shapes  A: square, non-zero diagonal, rows ascending
/// Cost    a product with A a step
/// Errors  BadInput if a number on the diagonal is zero
/// Source  Collatz 1942, Wielandt 1950; Varga, Matrix Iterative Analysis, section 2.1 and (dominance) theorem 1.21
template <class T>
RadiusBounds bound_radius(const SparseMatrix<T>& A, int steps);

/// D, the numbers on the diagonal.
/// Errors  BadInput: a row without one
template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& A);

}  // namespace overlapack::iterative
