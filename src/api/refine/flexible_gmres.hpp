#pragma once
#include "api/refine/krylov_solution.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// Flexible GMRES for one right-hand side where refinement does not converge, because the factors are those of another matrix:
/// M^{-1} is a solve with them. The caller drives the loop, as with Refinement:
///   while (gmres.active_columns() > 0) {
///     if (gmres.is_next_step_solve()) solve(gmres.residual(), gmres.corrections());
///     gmres.advance();
///   }
/// A step makes A z_k, z_k = M^{-1} v_k, orthogonal to the vectors so far; a cycle ends with x <- x + Z y, where y minimises the
/// residual. Where M^{-1} is one linear operator Z is not kept: a cycle ends with one more solve. Between cycles the residual of x is computed in the longer format; a cycle that makes x worse is undone.
/// Cost    steps times a solve, a product and 4 n k multiply-adds for k vectors of the cycle
/// Source  Saad, A flexible inner-outer preconditioned GMRES algorithm, SISC 14 (1993)
template <class T>
class FlexibleGmres {
 public:
  /// Shapes  b, x: n; x: the start, then the best that was found; both must outlive this
  FlexibleGmres(Residuals<T> residuals, std::span<const T> b, std::span<T> x, const KrylovLimits& limits,
                Product<T> multiply = {});

  Index active_columns() const { return is_over_ ? 0 : 1; }
  Index measured_columns() const { return active_columns(); }
  /// Is the next step a solve? Else the residual of x alone.
  bool is_next_step_solve() const { return in_cycle_; }
  const T* residual() const { return ends_cycle_ ? r_.data() : V_.back().data(); }  ///< v_k, or V y
  T* corrections() { return Z_.back().data(); }                                     ///< z_k, or Z y
  void advance();

  const BackwardError& error() const { return x_.error(); }
  int steps() const { return steps_; }

 private:
  void start_cycle_or_end();
  void begin_cycle();
  void extend();
  void rotate(std::vector<T>& column);
  void end_cycle();
  void add_krylov_combination();

  KrylovSolution<T> x_;
  KrylovLimits limits_;
  bool is_over_ = false, in_cycle_ = false;
  bool ends_cycle_ = false;  ///< M^{-1} V y is asked for
  int steps_ = 0;
  std::vector<T> r_;
  std::vector<std::vector<T>> V_, Z_;  ///< Z_: the present one alone if M^{-1} is fixed
  std::vector<std::vector<T>> H_;      ///< its columns, upper triangular by the rotations
  std::vector<Real<T>> cosine_;
  std::vector<T> sine_, rest_;  ///< rest_: the residual in V, rotated
  double goal_ = 0;             ///< size of the residual that ends the cycle
};

}  // namespace overlapack::api
