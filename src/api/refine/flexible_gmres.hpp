#pragma once
#include "api/refine/krylov_solution.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// Flexible GMRES for one right-hand side. It is used if refinement does not converge because the factors are those of another matrix M;
/// M^{-1} is a solve with them. The caller drives the loop, as with Refinement:
///   while (gmres.active_columns() > 0) {
///     if (gmres.is_next_step_solve()) solve(gmres.residual(), gmres.corrections());
///     gmres.advance();
///   }
/// A step makes A z_k, with z_k = M^{-1} v_k, orthogonal to the vectors so far. A cycle ends with x <- x + Z y, where y minimises the
/// residual. If M^{-1} is the same linear operator in each step, Z is not kept, and a cycle ends with one more solve, for M^{-1} V y.
/// Between cycles the residual of x is computed in the longer format. A cycle that makes x worse is undone.
/// Cost    for each step a solve, a product, and 4 n k multiply-adds if the cycle has k vectors
/// Source  Saad, A flexible inner-outer preconditioned GMRES algorithm, SISC 14 (1993)
template <class T>
class FlexibleGmres {
 public:
  /// Shapes  b, x: n; x holds the start, and afterwards the best vector that was found. Both must outlive this object
  FlexibleGmres(Residuals<T> residuals, std::span<const T> b, std::span<T> x, const KrylovLimits& limits,
                Product<T> multiply = {});

  Index active_columns() const { return is_over_ ? 0 : 1; }
  Index measured_columns() const { return active_columns(); }
  /// Whether the next step needs a solve. If not, advance computes the residual of x only.
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
  bool ends_cycle_ = false;  ///< the next solve is M^{-1} V y
  int steps_ = 0;
  std::vector<T> r_;
  std::vector<std::vector<T>> V_, Z_;  ///< Z_: the present one alone if M^{-1} is fixed
  std::vector<std::vector<T>> H_;      ///< its columns, upper triangular by the rotations
  std::vector<Real<T>> cosine_;
  std::vector<T> sine_, rest_;  ///< rest_: the residual in V, rotated
  double goal_ = 0;             ///< size of the residual that ends the cycle
};

}  // namespace overlapack::api
