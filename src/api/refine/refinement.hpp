#pragma once
#include "base/large_memory.hpp"
#include "kernels/sparse/sparse_residual.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace overlapack::api {

/// The componentwise backward error of x (Arioli, Demmel, Duff 1989): omega1 over the rows in which |A||x| + |b| is meaningful, omega2 over
/// those in which it is only rounding.
struct BackwardError {
  double omega1 = 0;
  double omega2 = 0;
  double strict = 0;             ///< max |r_i| / (|A||x| + |b|)_i over all rows: what refinement reduces
  double relative_residual = 0;  ///< ||r||_2 / ||b||_2; 0 if r = 0
  double sum() const { return omega1 + omega2; }
};

/// The largest |A(i, j)| of each row.
template <class T>
std::vector<double> row_maxima(const SparseMatrix<T>& A);

/// Compute r <- b - A x and return the componentwise backward error of x.
/// Shapes  b, x, r: n; row_max: row_maxima(A); the result is NaN where x is not finite
/// Cost    two multiply-adds an entry of A
/// Source  Arioli, Demmel, Duff 1989, section 4: tau_i = 1000 n eps (|A_i|_max |x|_max + |b_i|)
template <class T>
BackwardError residual(const SparseMatrix<T>& A, std::span<const double> row_max, std::span<const T> b,
                       std::span<const T> x, std::span<T> r);

/// The componentwise backward error of x for an r = b - A x that was computed elsewhere; weight: |A| |x| + |b|.
template <class T>
BackwardError backward_error(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                             std::span<const T> r, std::span<const Real<T>> weight);

/// The divisors of the rows' residuals in omega1 (meaningful) and in omega2 (rounding); 0 for a row of the other kind.
struct RowWeights {
  std::vector<double> meaningful;  ///< |A||x| + |b|
  std::vector<double> rounding;    ///< |A||x| + max |A_i| max |x|, where |A||x| + |b| is only rounding
};
/// Divide the rows into the two kinds and return their divisors.
/// Shapes  row_max: row_maxima(A); b, x, weight = |A| |x| + |b|: n
template <class T>
RowWeights row_weights(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                       std::span<const Real<T>> weight);

/// The residual of x relative to its right-hand side: max |r_i| / a_i over max |b_i| / a_i, with a_i the largest entry of row i.
template <class T>
double residual_share(std::span<const double> row_max, std::span<const T> b, std::span<const T> r);
/// The share below which rounding hides a residual: beside an x of 1e32, b is lost in b - A x. rounding: of residuals, beside |A| |x|
template <class T>
double hidden_share(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                    double rounding);

/// One right-hand side of a residual: r <- b - A x.
template <class T>
struct ResidualColumn {
  std::span<const T> b, x;
  std::span<T> r;
  std::span<Real<T>> weight = {};  ///< <- |A| |x| + |b|, where it is not empty
  /// raised to (|A| |x| + |b|) / max |x|, where it is not empty and x is not 0
  std::span<Real<T>> envelope = {};
};
/// Raise the envelope of a column, as ResidualColumn::envelope says; weight: |A| |x| + |b|.
template <class T>
void raise_envelope(const ResidualColumn<T>& column, std::span<const Real<T>> weight);
/// Computes the residuals of some right-hand sides and returns their errors.
template <class T>
using Residuals = std::function<std::vector<BackwardError>(std::span<const ResidualColumn<T>>)>;

/// A Residuals function for a sparse matrix on this rank.
template <class T>
std::vector<BackwardError> residuals(const SparseMatrix<T>& A, std::span<const double> row_max,
                                     std::span<const ResidualColumn<T>> columns, const SliceRunner& slices,
                                     kernels::ResidualSum sum = kernels::ResidualSum::fastest);

/// If pivots are rounding, x is an answer only if residual_share is at most this: epsilon^(1/4), 1e-4 in double. The backward error does not
/// suffice then, since beside a tiny pivot an x of any size has a small one.
template <class T>
double most_residual_share() {
  return std::sqrt(std::sqrt(static_cast<double>(std::numeric_limits<Real<T>>::epsilon())));
}

/// x is in doubt if changes in the last digits of A and b change it by more than this share of its largest entry. It is the same number as
/// most_residual_share.
template <class T>
double most_error_of_x() {
  return most_residual_share<T>();
}

/// An upper bound for the ratio of the worst change of x by last digits to the change by one random choice of them. It is above the ratios
/// of 100,000 random systems (tests/random_systems).
constexpr double worst_over_sample = 100;
/// If pivots were replaced, x is in doubt only if the bound is above so many times most_error_of_x. Null vectors that were found by factors
/// of another matrix may overestimate the error of x by ten times (kkt_cvxqp3_l by nodes).
constexpr double rough_by_replaced = 3;

/// r <- a change of b by about half of the last digit of |A| |x| + |b| in each row, with random signs. It stands for changes of the last
/// digits of A and b.
/// Shapes  weight = |A| |x| + |b|, r: n
template <class T>
void change_last_digits(std::span<const Real<T>> weight, std::span<T> r);

/// The relative rounding error of residuals that are summed in the next longer format of the processor.
template <class T>
double rounding_of_wide() {
  return std::is_same_v<Real<T>, float> ? std::numeric_limits<double>::epsilon()
                                        : static_cast<double>(std::numeric_limits<long double>::epsilon());
}

/// How the sensitivity of x is tested. of_these: each entry of A and b changes by its own last digit; the result holds for the x that were
/// solved for. of_any: each entry changes by the last digit of the largest entry of its row. If that changes x by far too little to matter,
/// no x by these factors needs a test; otherwise the next test is of_these.
enum class DigitTest { none, of_these, of_any };

/// When refinement stops.
struct RefinementLimits {
  int steps = 10;        ///< most corrections after the first solve
  double target = 0;     ///< refinement stops at this BackwardError::strict
  double slowest = 0.5;  ///< a step that leaves more than this share of the error is the last one
  /// Stop when x itself has converged, instead of at the target. Corrections from residuals in a longer format show how far x still is from
  /// the solution (Demmel and others, ACM TOMS 32, 2006).
  bool refines_x = false;
  /// Test how changes in the last digits of A and b change x: one more column of the second solve, whose result is not used otherwise.
  DigitTest test = DigitTest::none;
  std::span<const double> row_max = {};  ///< for DigitTest::of_any: row_maxima(A)
};
/// The result of a DigitTest: the change of x, relative to its largest entry, by changes in last digits. NaN if it was not tested.
struct DigitChange {
  double of_these = std::numeric_limits<double>::quiet_NaN();  ///< NaN, too, if all x are 0
  double of_any = std::numeric_limits<double>::quiet_NaN();
};
/// The test that the next x by the same factors needs, after the test `last` had this result.
template <class T>
DigitTest next_test(DigitTest last, const DigitChange& change) {
  if (last != DigitTest::of_any || std::isnan(change.of_any)) return last;
  return worst_over_sample * change.of_any <= most_error_of_x<T>() ? DigitTest::none : DigitTest::of_these;
}

struct RefinementResult {
  BackwardError error;
  int steps = 0;
  int gmres_steps = 0;  ///< steps of GMRES or CG after refinement
  /// With RefinementLimits::refines_x: a bound of max |x - true x| / max |x| if corrections shrink; else NaN.
  double forward_bound = std::numeric_limits<double>::quiet_NaN();
  /// Without refines_x: an estimate of max |x - true x| / max |x| if A and b are known to their last digits. It comes from the last
  /// correction and the residual that it left; for the first column also from DigitChange::of_these, if that is larger. NaN if there was
  /// neither.
  double error_of_x = std::numeric_limits<double>::quiet_NaN();
};

/// Iterative refinement of many right-hand sides. The caller drives the loop, because each solve is collective:
///   while (refinement.active_columns() > 0) {
///     solve(refinement.residual(), refinement.corrections());
///     refinement.advance();
///   }
/// The first solve starts from x = 0, r = b. A correction that makes a column worse is undone.
template <class T>
class Refinement {
 public:
  /// Shapes  b, x: n x nrhs by columns; b and x must outlive this
  Refinement(Index n, Residuals<T> residuals, std::span<const T> b, std::span<T> x, Index nrhs,
             const RefinementLimits& limits, const SliceRunner& slices = {});

  /// The number of columns of the next solve; the last column is that of the test, if there is one.
  Index active_columns() const { return measured_columns() + (test_ != DigitTest::none ? 1 : 0); }
  bool is_next_step_solve() const { return true; }
  /// The number of columns for which advance() computes residuals.
  Index measured_columns() const { return static_cast<Index>(columns_.size()); }
  const T* residual() const { return is_first_ ? b_.data() : residual_.data(); }  ///< n x active_columns()
  T* corrections() { return is_first_ ? x_.data() : correction_.data(); }         ///< n x active_columns()
  /// x <- x + correction; drops the columns that are finished.
  void advance();

  const std::vector<RefinementResult>& results() const { return results_; }
  const DigitChange& digit_change() const { return digit_change_; }

 private:
  ResidualColumn<T> apply_correction(Index position);
  bool accept_or_undo(Index position, const BackwardError& error);
  void start_test(DigitTest test);
  DigitTest end_test();
  /// Update the forward bound of a column by its last change; returns whether x came nearer to the solution.
  bool update_forward_bound(Index position);
  void undo_correction(Index position);
  double relative_change(Index position) const;
  std::span<T> column_of(UnsetVector<T>& of, Index position) const;

  std::size_t n_;
  Residuals<T> residuals_of_;
  SliceRunner slices_;
  std::span<const T> b_;
  std::span<T> x_;
  RefinementLimits limits_;
  bool is_first_ = true;              ///< x = 0 still: the correction becomes x itself
  DigitTest test_ = DigitTest::none;  ///< of the solve under way
  std::vector<Index> columns_;        ///< the active ones, ascending
  std::vector<Real<T>> envelope_;  ///< for the test: over all columns, ResidualColumn::envelope; else empty
  UnsetVector<T> residual_, correction_;
  std::vector<RefinementResult> results_;
  DigitChange digit_change_;
  std::vector<double> last_change_;  ///< by column: max |last correction| / max |x|
};

}  // namespace overlapack::api
