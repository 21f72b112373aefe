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

/// How near a matrix is to a singular one, as its null vectors tell (docs/decisions/0031-singular-is-proved.md).
struct Nearness {
  /// max_i |A v|_i / (|A| |v|)_i: where it is at rounding, a change of each entry by rounding makes A singular (Oettli, Prager 1964)
  double right_share = std::numeric_limits<double>::infinity();
  double left_share = std::numeric_limits<double>::infinity();  ///< max_j |w^H A|_j / (|w|^T |A|)_j
  /// |w^H A v| / |w|^T |A| |v|: to first order the least share of its entries by which A has to change to be singular; 1 / it is the
  /// condition number of A in the best of all scalings (Bauer 1963)
  double distance = std::numeric_limits<double>::infinity();
  double weight = 0;   ///< |w|^T |A| |v|
  double rows = 1;     ///< how many rows take part in that
  Index largest = -1;  ///< where v is largest
  Index like = 0;      ///< entries of v of at least a tenth of that
};

/// On every process; the vectors are on rank 0, empty where none was found that is finite.
template <class T>
struct Singularity : Nearness {
  std::vector<T> right, left;  ///< v and w, their largest entries 1

  /// Is A singular to working precision? The one proof that counts: v, in every row, and a distance that rounding of entries, some up
  /// and some down, makes likely.
  bool is_singular() const { return right_share <= most_share && distance <= most_distance(); }
  /// Does w tell which systems have solutions?
  bool has_left() const { return left_share <= most_share; }

  static constexpr double most_share = 2 * std::numeric_limits<Real<T>>::epsilon();

 private:
  double most_distance() const;
};

/// A factorised matrix, by what its null vectors are found with; both functions are collective over the processes.
template <class T>
struct NullProblem {
  std::size_t n = 0;  ///< where rank 0 is; elsewhere 0
  /// x <- op(A)^{-1} x by factors of A or of a matrix near it.  Shapes  x: n
  std::function<void(kernels::Op, std::span<T> x)> solve;
  /// product <- op(A) v, summed in more than the working precision, weight <- |op(A)| |v|.  Shapes  all: n
  std::function<void(kernels::Op, std::span<const T> v, std::span<T> product, std::span<Real<T>> weight)>
      multiply;
};

/// Inverse iteration for both vectors at once. Each step solves A v = alpha s, s_i = (|A| |v|)_i w_i / |w_i|, whose alpha is the smallest that
/// a v can have in all rows, with what is left of it summed in more than the working precision and freed of v itself, so that factors
/// of a singular matrix, or with replaced pivots, do.
/// Sync    collective over the processes of the session
/// Cost    at most 21 solves with A and as many with A^H; 7 and 7 with factors of A, 3 and 3 where A is not near a singular matrix
template <class T>
Singularity<T> look_for_null_vectors(Session& session, const NullProblem<T>& problem);

/// How far x may be from the solution where A is nearly singular, so that its inverse is v w^H / w^H A v but for the rest: a residual of
/// `error` of `weights` changes x by that much, beside max |x|. On rank 0.
template <class T>
double error_beside_null_vector(const Singularity<T>& singularity, Transpose op, double error,
                                const RowWeights& weights, std::span<const T> x);

/// How far b is from the range of a singular op(A): |w^H b| / |w|^T |b|, w its left null vector; 0 where w tells nothing, or b has no
/// part in it. On rank 0.
template <class T>
double range_defect(const Singularity<T>& singularity, Transpose op, std::span<const T> b);
/// Above it b is outside of the range by more than rounding.
template <class T>
double rounding_of_range();

}  // namespace overlapack::api
