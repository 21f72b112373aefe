#pragma once
#include "api/refine/driven_solves.hpp"
#include "api/refine/refinement.hpp"

#include <span>

namespace overlapack::api {

/// Condition numbers of a solve, and the bound of the error of x that they give.
struct ErrorBound {
  double condition1 = 0;  ///< condition number for the rows of omega1
  double condition2 = 0;  ///< condition number for the rows of omega2
  double forward = 0;     ///< max |x - true x| / max |x| is at most omega1 condition1 + omega2 condition2
};

/// Estimate the condition numbers of a solve and bound its error. condition_k is || |A^{-1}| w_k ||_oo / ||x||_oo, where w_k has the
/// weights of the rows of omega_k and is 0 in other rows. The norms are estimated from below, seldom by more than a factor 3.
/// error, weights: of the solve with op(A), as AppliedMatrix measures them
/// Shapes  x: n
/// Cost    4 to 11 solves for each kind of rows that there is
/// Source  Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10 (1989), section 4
template <class T>
ErrorBound bound_error(const BackwardError& error, const RowWeights& weights, kernels::Op op,
                       std::span<const T> x, const DrivenSolve<T>& solve);

/// The reciprocal condition number 1 / (||A||_1 ||A^{-1}||_1), with an estimate of the norm of the inverse.
/// n: order of A; norm: ||A||_1 / root^2, where root is a power of two near the root of A's largest entry: A^{-1} root^2 has
/// entries near 1 even if those of A^{-1} are beyond the range of their type
/// Cost    4 to 11 solves
/// Source  Higham 1988, as in dense/check/one_norm_estimate.hpp
template <class T>
double reciprocal_condition(Index n, double norm, double root, const DrivenSolve<T>& solve);

}  // namespace overlapack::api
