#pragma once
#include "api/refine/refinement.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <span>
#include <vector>

/// The parts that FlexibleGmres and FlexibleCg share.
namespace overlapack::api {

/// When a Krylov method stops.
struct KrylovLimits {
  int steps = 100;    ///< most solves with the factors, over all cycles
  int restart = 30;   ///< GMRES: vectors of a cycle, two of length n for each, or one if M^{-1} is fixed
  double target = 0;  ///< error (BackwardError::sum) of x to stop at
  /// the error is the norm that cycles reduce, so that they see when the target is near
  bool is_of_norms = false;
  bool is_fixed = false;  ///< GMRES: M^{-1} is the same linear operator in each step
  /// a cycle ends after this reduction of its residual; the true residual of x follows
  double reduction = 1e-6;

  /// The reduction that ends a cycle which begins at this error. If the error is a norm (is_of_norms), half the target suffices.
  double needed_reduction(double error) const {
    return is_of_norms ? std::max(reduction, target / (2 * error)) : reduction;
  }
};

/// y <- A z
template <class T>
using Product = std::function<void(std::span<const T> z, std::span<T> y)>;

/// The iterate x of A x = b and a copy of the best x so far, which is restored when x gets worse.
template <class T>
class KrylovSolution {
 public:
  /// Shapes  b, x: n; x holds the start, and afterwards the best vector that was found. Both must outlive this object
  /// multiply: the product with A; empty: products are computed by `residuals`, in the longer format
  KrylovSolution(Residuals<T> residuals, std::span<const T> b, std::span<T> x, Product<T> multiply);

  /// r <- (b - A x) / unit, in the longer format. unit is a power of two near the largest entry, so that no square in the cycle overflows or
  /// underflows. Returns false if x is no better than the best so far, which is then restored.
  bool update_residual(std::span<T> r);
  /// y <- A z
  void multiply(std::span<const T> z, std::span<T> y);
  /// x <- x + alpha z unit
  void add(const T& alpha, std::span<const T> z);
  /// The error of the best x.
  const BackwardError& error() const { return error_; }

 private:
  Residuals<T> residuals_of_;
  Product<T> multiply_;
  std::span<const T> b_;
  std::span<T> x_;
  BackwardError error_;
  std::vector<T> best_;
  double unit_ = 1;
  const std::vector<T> zeros_;
};

}  // namespace overlapack::api
