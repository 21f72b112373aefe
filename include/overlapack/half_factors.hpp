#pragma once
#include "overlapack/export.hpp"
#include "overlapack/triangular_factors.hpp"

#include <span>

namespace overlapack {

/// Applies each factor of A = P^T L D L^H P by itself, for statistics and filters. The functions are const and change x, n x nrhs by
/// columns, in place. Each takes time in proportion to the entries of L:
///
///   A^{-1} b      = solve_lt(solve_d(solve_l(b)))
///   A     = H H^H   with H = P^T L D^{1/2}, of a positive definite matrix
///
/// For white noise z, H z has the covariance A, and H^{-H} z the covariance A^{-1}.
/// Errors  BadInput if x has a wrong size; functions with H also if D is not positive definite
///         BadPlan from functions with H if A is complex symmetric, since A = H H^H does not hold then
template <class T>
class OVERLAPACK_API HalfFactors {
 public:
  explicit HalfFactors(SymmetricFactors<T> parts);

  const SymmetricFactors<T>& parts() const { return parts_; }
  Index order() const { return parts_.L.cols; }

  /// x <- L^{-1} P x; the result is in the order of elimination.
  void solve_l(std::span<T> x, Index nrhs = 1) const;
  /// x <- D^{-1} x, both in the order of elimination.
  void solve_d(std::span<T> x, Index nrhs = 1) const;
  /// x <- P^T L^{-H} x; L^{-T} of a symmetric A. x is given in the order of elimination.
  void solve_lt(std::span<T> x, Index nrhs = 1) const;

  /// x <- A^{-1} x, the three steps above in one call. room: work space of order() numbers, with any contents.
  void substitute(std::span<T> x, Index nrhs, std::span<T> room) const;

  /// x <- H x.
  void multiply(std::span<T> x, Index nrhs = 1) const;
  /// x <- H^{-1} x.
  void solve(std::span<T> x, Index nrhs = 1) const;
  /// x <- H^{-H} x.
  void solve_adjoint(std::span<T> x, Index nrhs = 1) const;

 private:
  /// A block diagonal matrix with blocks of order 1 and 2, by its lower triangle: below[k] is entry (k + 1, k).
  struct Blocks {
    std::vector<T> diagonal, below;
  };

  void require_columns(std::span<T> x, Index nrhs) const;
  void require_root() const;
  void make_root();
  void permute(std::span<T> x, Index nrhs, bool is_back) const;
  void forward(T* x) const;
  void divide(T* x) const;
  void backward(T* x) const;

  SymmetricFactors<T> parts_;
  bool is_conjugated_ = false;
  Blocks d_, root_;          ///< D and D^{1/2}
  Index not_positive_ = -1;  ///< an unknown whose pivot is not positive; -1: D is positive definite
};

}  // namespace overlapack
