#pragma once
#include "api/refine/refinement.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <span>
#include <vector>

/// Common parts of Krylov methods that are preconditioned by factors.
namespace overlapack::api {

/// When they stop.
struct KrylovLimits {
  int steps = 100;    ///< solves with the factors, in all
  int restart = 30;   ///< GMRES: vectors of a cycle, two of length n for each, or one if M^{-1} is fixed
  double target = 0;  ///< error (BackwardError::sum) of x to stop at
  bool is_of_norms =
      false;  ///< the error is the norm that cycles reduce, so that they see when the target is near
  bool is_fixed = false;    ///< GMRES: M^{-1} is the same linear operator in each step
  double reduction = 1e-6;  ///< fall of the residual in a cycle, then the true residual of x is computed

  /// The fall that ends a cycle that begins at this error. Of norms it leads to half the target and no further.
  double needed_reduction(double error) const {
    return is_of_norms ? std::max(reduction, target / (2 * error)) : reduction;
  }
};

/// y <- A z
template <class T>
using Product = std::function<void(std::span<const T> z, std::span<T> y)>;

/// The iterate x of A x = b, with a copy of the best x so far, which is restored when x gets worse.
template <class T>
class KrylovSolution {
 public:
  /// Shapes  b, x: n; x: the start, then the best that was found; both must outlive this; multiply: empty to multiply as residuals are
  ///         computed, in the longer format
  KrylovSolution(Residuals<T> residuals, std::span<const T> b, std::span<T> x, Product<T> multiply);

  /// r <- (b - A x) / unit in the longer format; unit: a power of two near its largest entry, so that no square in the cycle
  /// overflows or vanishes. False where x is no better than the best so far, which is then restored.
  bool update_residual(std::span<T> r);
  /// y <- A z
  void multiply(std::span<const T> z, std::span<T> y);
  /// x <- x + alpha z unit
  void add(const T& alpha, std::span<const T> z);
  /// Of the best x.
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
