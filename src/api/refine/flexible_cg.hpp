#pragma once
#include "api/refine/krylov_solution.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// Flexible conjugate gradients, instead of FlexibleGmres where A and the factors are Hermitian and positive definite. The caller
/// drives the same loop; one direction is stored instead of a cycle's vectors.
///
///   z = M^{-1} r,   p <- z - (z, A p) / (p, A p) p,   x <- x + alpha p,   r <- r - alpha A p,   alpha = (p, r) / (p, A p)
///
/// "Flexible": each direction is made conjugate to the last one with the current z, so that an M^{-1} that varies a little, or is a
/// little unsymmetric, does no harm. It restarts from the true residual of x when that has fallen by `reduction`, and when
/// (p, A p) is not positive: then A or the factors are not definite, as far as p shows. It ends when x has not improved.
/// Cost    steps times a solve, a product and 6 n multiply-adds; 6 vectors of length n
/// Source  Notay, Flexible conjugate gradients, SISC 22 (2000), FCG(1)
template <class T>
class FlexibleCg {
 public:
  /// As FlexibleGmres.
  FlexibleCg(Residuals<T> residuals, std::span<const T> b, std::span<T> x, const KrylovLimits& limits,
             Product<T> multiply = {});

  Index active_columns() const { return is_over_ ? 0 : 1; }
  Index measured_columns() const { return active_columns(); }
  /// Is the next step a solve? Else the residual of x alone.
  bool is_next_step_solve() const { return in_cycle_; }
  const T* residual() const { return r_.data(); }
  T* corrections() { return z_.data(); }
  void advance();

  const BackwardError& error() const { return x_.error(); }
  int steps() const { return steps_; }

 private:
  void start_cycle_or_end();
  void extend();

  KrylovSolution<T> x_;
  KrylovLimits limits_;
  bool is_over_ = false, in_cycle_ = false;
  int steps_ = 0;
  std::vector<T> r_, z_;
  std::vector<T> p_, Ap_;  ///< of the step before; empty at the start of a cycle
  double curvature_ = 0;   ///< (p, A p)
  double goal_ = 0;        ///< size of the residual that ends the cycle
};

}  // namespace overlapack::api
