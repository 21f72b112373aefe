#pragma once
#include "api/refine/krylov_solution.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// Flexible conjugate gradients for one right-hand side. It replaces FlexibleGmres if A and the factors are Hermitian and positive
/// definite. The caller drives the same loop. One direction is stored instead of the vectors of a cycle.
///
///   z = M^{-1} r,   p <- z - (z, A p) / (p, A p) p,   x <- x + alpha p,   r <- r - alpha A p,   alpha = (p, r) / (p, A p)
///
/// "Flexible": the current z makes each direction conjugate to the last one, so that an M^{-1} that varies a little, or is a little
/// unsymmetric, does no harm. The method restarts from the true residual of x when the residual has fallen by `reduction`, and when
/// (p, A p) is not positive, which shows that A or the factors are not definite. It ends when x has not improved.
/// Cost    for each step a solve, a product and 6 n multiply-adds; memory: 6 vectors of length n
/// Source  Notay, Flexible conjugate gradients, SISC 22 (2000), FCG(1)
template <class T>
class FlexibleCg {
 public:
  /// The arguments of FlexibleGmres.
  FlexibleCg(Residuals<T> residuals, std::span<const T> b, std::span<T> x, const KrylovLimits& limits,
             Product<T> multiply = {});

  Index active_columns() const { return is_over_ ? 0 : 1; }
  Index measured_columns() const { return active_columns(); }
  /// Whether the next step needs a solve. If not, advance computes the residual of x only.
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
  std::vector<T> p_, Ap_;  ///< p and A p of the previous step; empty at the start of a cycle
  double curvature_ = 0;   ///< (p, A p)
  double goal_ = 0;        ///< size of the residual that ends the cycle
};

}  // namespace overlapack::api
