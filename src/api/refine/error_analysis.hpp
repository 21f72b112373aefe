#pragma once
#include "api/refine/driven_solves.hpp"
#include "api/refine/refinement.hpp"

#include <span>

namespace overlapack::api {

/// Bounds of the error of an x, beyond its backward error.
struct ErrorBound {
  double condition1 = 0;  ///< for the rows whose residuals count in omega1,
  double condition2 = 0;  ///< and for those of omega2
  double forward = 0;     ///< max |x - true x| / max |x| is at most omega1 condition1 + omega2 condition2
};

/// condition_k = || |A^{-1}| w_k ||_oo / ||x||_oo, w_k what the residuals of its rows were measured against; the norms are
/// estimated, from below and seldom by more than a factor 3.
/// error, weights: of the solve with op(A), as AppliedMatrix measures them
/// Shapes  x: n
/// Cost    4 to 11 solves for each kind of rows that there is
/// Source  Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10 (1989), section 4
template <class T>
ErrorBound bound_error(const BackwardError& error, const RowWeights& weights, kernels::Op op,
                       std::span<const T> x, const DrivenSolve<T>& solve);

/// 1 / (||A||_1 ||A^{-1}||_1), the norm of the inverse estimated.
/// norm: ||A||_1 / root^2, where root is a power of two near the root of A's largest entry: A^{-1} root^2 has entries near 1
/// even if those of A^{-1} are beyond the range of their type
/// Shapes  n: order of A
/// Cost    4 to 11 solves
/// Source  Higham 1988, as in dense/check/one_norm_estimate.hpp
template <class T>
double reciprocal_condition(Index n, double norm, double root, const DrivenSolve<T>& solve);

}  // namespace overlapack::api
