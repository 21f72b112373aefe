#pragma once
#include "api/refine/refinement.hpp"
#include "api/run/session.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/overlapack.hpp"

#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace overlapack::api {

/// How near a matrix is to a singular one, measured by its null vectors (docs/decisions/0031-singular-is-proved.md).
struct Nearness {
  /// max_i |A v|_i / (|A| |v|)_i. If it is as small as rounding, a change of each entry by rounding makes A singular (Oettli, Prager 1964).
  double right_share = std::numeric_limits<double>::infinity();
  double left_share = std::numeric_limits<double>::infinity();  ///< max_j |w^H A|_j / (|w|^T |A|)_j
  /// |w^H A v| / |w|^T |A| |v|: to first order the smallest relative change of A's entries that makes A singular. Its reciprocal is the
  /// condition number of A in the best of all scalings (Bauer 1963).
  double distance = std::numeric_limits<double>::infinity();
  double weight = 0;   ///< |w|^T |A| |v|
  double rows = 1;     ///< effective number of rows in that sum
  Index largest = -1;  ///< index of the largest entry of v
  Index like = 0;      ///< entries of v of at least a tenth of that
};

/// The null vectors of a matrix and how near it is to a singular one. The figures are on every process. The vectors are on rank 0, and
/// empty if no finite vector was found.
template <class T>
struct Singularity : Nearness {
  std::vector<T> right, left;  ///< v and w, their largest entries 1

  /// Whether A is proved singular to working precision: A v = 0 up to rounding in every row, and the distance is one that rounding of the
  /// entries, some up and some down, makes likely.
  bool is_singular() const { return right_share <= most_share && distance <= most_distance(); }
  /// Whether w is accurate enough to decide which systems have solutions.
  bool has_left() const { return left_share <= most_share; }

  static constexpr double most_share = 2 * std::numeric_limits<Real<T>>::epsilon();

 private:
  double most_distance() const;
};

/// The solves and products with a factorised matrix by which find_null_vectors works. Both functions are collective over the processes.
template <class T>
struct NullProblem {
  std::size_t n = 0;  ///< on rank 0's process; elsewhere 0
  /// x <- op(A)^{-1} x by factors of A or of a matrix near it.  Shapes  x: n
  std::function<void(kernels::Op, std::span<T> x)> solve;
  /// product <- op(A) v, summed in more than the working precision, weight <- |op(A)| |v|.  Shapes  all: n
  std::function<void(kernels::Op, std::span<const T> v, std::span<T> product, std::span<Real<T>> weight)>
      multiply;
};

/// Find the left and the right null vector w and v by inverse iteration for both at once. Each step solves A v = alpha s,
/// s_i = (|A| |v|)_i w_i / |w_i|, with the smallest alpha that a v can have in all rows. The residual is summed in more than the working
/// precision, and the correction has no part along v. Therefore factors of a singular matrix, or with replaced pivots, suffice.
/// Sync    collective over the processes of the session
/// Cost    at most 21 solves with A and as many with A^H; 7 and 7 with factors of A, 3 and 3 where A is not near a singular matrix
template <class T>
Singularity<T> find_null_vectors(Session& session, const NullProblem<T>& problem);

/// Estimate how far x may be from the solution if A is nearly singular, so that its inverse is about v w^H / (w^H A v). The result is the
/// change of x by a residual of `error` times `weights`, divided by max |x|. On rank 0.
template <class T>
double error_beside_null_vector(const Singularity<T>& singularity, Transpose op, double error,
                                const RowWeights& weights, std::span<const T> x);

/// How far b is from the range of a singular op(A): |w^H b| / |w|^T |b|, where w is the left null vector of op(A). 0 if A is not proved
/// singular, or if w is not accurate enough. On rank 0.
template <class T>
double range_defect(const Singularity<T>& singularity, Transpose op, std::span<const T> b);
/// The range_defect above which b is outside the range by more than rounding.
template <class T>
double rounding_of_range();

}  // namespace overlapack::api
