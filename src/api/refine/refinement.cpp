#include "api/refine/refinement.hpp"

#include "base/instantiate.hpp"
#include "base/large_memory.hpp"
#include "base/random.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/sparse/sparse_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace overlapack::api {
namespace {

/// Call f(0), ..., f(count - 1), in parallel if there are enough numbers in total.
void for_each(const SliceRunner& slices, std::size_t count, std::size_t numbers,
              const SliceRunner::Slice& f) {
  constexpr std::size_t least = 1 << 15;
  (numbers > least ? slices : SliceRunner{}).for_each(count, f);
}

/// The divisor of a row's residual, and whether the row belongs to omega1 (meaningful) or omega2.
struct Measure {
  bool is_meaningful = true;
  double against = 0;
};

/// weight = (|A||x| + |b|)_i, norm = max_j |a_ij| max_j |x_j|. A sum that is infinite counts as the largest number: it is at least that.
template <class T>
Measure measure(double weight, double size_b, double norm, std::size_t n, double eps) {
  weight = std::min<double>(weight, std::numeric_limits<Real<T>>::max());
  const bool is_meaningful = weight > 1000 * static_cast<double>(n) * eps * (norm + size_b);
  return {is_meaningful, is_meaningful ? weight : weight - size_b + norm};
}

/// most <- max(most, size / against), or NaN if the quotient is NaN. It divides only if `most` grows.
void raise(double& most, double size, double against) {
  if (size <= most * against || std::isnan(most)) return;
  most = size / against;
}

/// max_i |r_i| / W_i, by the two kinds of rows.  weight = |A||x| + |b|
template <class T>
BackwardError componentwise(std::span<const T> r, std::span<const T> b, std::span<const Real<T>> weight,
                            std::span<const double> row_max, double x_max) {
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  BackwardError error;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double size = std::abs(r[i]);
    const Measure row = measure<T>(weight[i], std::abs(b[i]), row_max[i] * x_max, r.size(), eps);
    raise(row.is_meaningful ? error.omega1 : error.omega2, size, row.against);
    raise(error.strict, size, std::min(weight[i], std::numeric_limits<Real<T>>::max()));
  }
  return error;
}

/// Half of the last digit of a number, relative to the number.
template <class T>
constexpr double half_digit() {
  return std::numeric_limits<Real<T>>::epsilon() / 2;
}

}  // namespace

template <class T>
std::vector<double> row_maxima(const SparseMatrix<T>& A) {
  std::vector<double> most(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; k < A.row.size(); ++k)
    most[A.row[k]] = std::max<double>(most[A.row[k]], std::abs(A.value[k]));
  return most;
}

template <class T>
BackwardError backward_error(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                             std::span<const T> r, std::span<const Real<T>> weight) {
  BackwardError error = componentwise<T>(r, b, weight, row_max, kernels::largest(x));
  const double norm_r = kernels::norm2(r);
  if (norm_r != 0) error.relative_residual = norm_r / kernels::norm2(b);
  return error;
}

namespace {

/// max |v_i| / a_i
template <class T>
double largest_beside(std::span<const double> row_max, std::span<const T> v) {
  double most = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (row_max[i] > 0) most = std::max(most, static_cast<double>(std::abs(v[i])) / row_max[i]);
  return most;
}

}  // namespace

template <class T>
double residual_share(std::span<const double> row_max, std::span<const T> b, std::span<const T> r) {
  const double size_r = largest_beside(row_max, r);
  return size_r > 0 ? size_r / largest_beside(row_max, b) : 0;
}

template <class T>
double hidden_share(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                    double rounding) {
  const double hidden = rounding * static_cast<double>(kernels::largest(x));
  return hidden > 0 ? hidden / largest_beside(row_max, b) : 0;
}

template <class T>
RowWeights row_weights(std::span<const double> row_max, std::span<const T> b, std::span<const T> x,
                       std::span<const Real<T>> weight) {
  const double eps = std::numeric_limits<Real<T>>::epsilon(), x_max = kernels::largest(x);
  RowWeights weights{std::vector<double>(b.size()), std::vector<double>(b.size())};
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Measure row = measure<T>(weight[i], std::abs(b[i]), row_max[i] * x_max, b.size(), eps);
    (row.is_meaningful ? weights.meaningful : weights.rounding)[i] = row.against;
  }
  return weights;
}

template <class T>
void change_last_digits(std::span<const Real<T>> weight, std::span<T> r) {
  constexpr double some = 0.5;  // changes of one size would cancel where equations are alike
  Random random(1);
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double share = random.uniform(-some, some);
    r[i] = T(static_cast<Real<T>>(half_digit<T>() * (share < 0 ? share - (1 - some) : share + (1 - some))) *
             weight[i]);
  }
}

template <class T>
void raise_envelope(const ResidualColumn<T>& column, std::span<const Real<T>> weight) {
  if (column.envelope.empty()) return;
  const auto size = static_cast<Real<T>>(kernels::largest(column.x));
  if (!(size > 0 && std::isfinite(size))) return;
  constexpr auto most = std::numeric_limits<Real<T>>::max();  // sums of large entries may be infinite
  for (std::size_t i = 0; i < weight.size(); ++i)
    column.envelope[i] = std::max(column.envelope[i], std::min(weight[i] / size, most));
}

template <class T>
BackwardError residual(const SparseMatrix<T>& A, std::span<const double> row_max, std::span<const T> b,
                       std::span<const T> x, std::span<T> r) {
  const ResidualColumn<T> one{b, x, r};
  return residuals<T>(A, row_max, std::span(&one, 1), {}).front();
}

template <class T>
std::vector<BackwardError> residuals(const SparseMatrix<T>& A, std::span<const double> row_max,
                                     std::span<const ResidualColumn<T>> columns, const SliceRunner& slices,
                                     kernels::ResidualSum sum) {
  std::vector<kernels::ResidualColumn<T>> all;
  UnsetVector<Real<T>> weights(columns.size() * static_cast<std::size_t>(A.rows));
  for (const ResidualColumn<T>& column : columns) {
    const auto own = std::span<Real<T>>(weights).subspan(all.size() * column.r.size(), column.r.size());
    all.push_back({column.b, column.x, column.r, column.weight.empty() ? own : column.weight});
  }
  kernels::residuals<T>(A, all, slices, sum);
  std::vector<BackwardError> errors(all.size());
  for_each(slices, all.size(), weights.size(), [&](std::size_t k) {
    errors[k] = backward_error<T>(row_max, all[k].b, all[k].x, all[k].r, all[k].weight);
  });
  for (std::size_t k = 0; k < all.size(); ++k) raise_envelope<T>(columns[k], all[k].weight);
  return errors;
}

template <class T>
Refinement<T>::Refinement(Index n, Residuals<T> residuals, std::span<const T> b, std::span<T> x, Index nrhs,
                          const RefinementLimits& limits, const SliceRunner& slices)
    : n_(static_cast<std::size_t>(n)),
      residuals_of_(std::move(residuals)),
      slices_(slices),
      b_(b),
      x_(x),
      limits_(limits),
      columns_(nrhs),
      envelope_(limits.test != DigitTest::none && !limits.refines_x && limits.steps > 0 && nrhs > 0 ? n_ : 0),
      residual_(b.size() + envelope_.size()),
      correction_(residual_.size()),
      results_(nrhs),
      last_change_(nrhs, 1) {
  std::iota(columns_.begin(), columns_.end(), Index{0});
  for (RefinementResult& result : results_) {
    result.error.omega1 = result.error.strict = std::numeric_limits<double>::infinity();
    result.steps = -1;  // the first solve is no correction yet
  }
}

template <class T>
std::span<T> Refinement<T>::column_of(UnsetVector<T>& of, Index position) const {
  return std::span<T>(of).subspan(static_cast<std::size_t>(position) * n_, n_);
}

template <class T>
void Refinement<T>::advance() {
  std::vector<ResidualColumn<T>> corrected(columns_.size());
  for_each(slices_, corrected.size(), corrected.size() * n_, [&](std::size_t position) {
    corrected[position] = apply_correction(static_cast<Index>(position));
  });
  DigitTest next = test_ != DigitTest::none ? end_test() : DigitTest::none;
  const std::vector<BackwardError> errors = residuals_of_(corrected);
  const auto is_finite = [](const BackwardError& error) { return std::isfinite(error.strict); };
  if (is_first_ && !envelope_.empty() && std::ranges::any_of(errors, is_finite)) next = limits_.test;
  is_first_ = false;
  std::vector<Index> left;
  for (Index position = 0; position < measured_columns(); ++position) {
    if (!accept_or_undo(position, errors[position])) continue;
    // move the residual to its new position, which is never behind the old one
    std::ranges::copy(column_of(residual_, position),
                      column_of(residual_, static_cast<Index>(left.size())).begin());
    left.push_back(columns_[position]);
  }
  columns_ = std::move(left);
  start_test(next);
  if (!results_.empty())  // a number beats NaN
    results_[0].error_of_x = std::fmax(results_[0].error_of_x, digit_change_.of_these);
}

/// x += correction; the correction is overwritten by the old x, which nobody needs if it was zero.
template <class T>
ResidualColumn<T> Refinement<T>::apply_correction(Index position) {
  const std::size_t first = static_cast<std::size_t>(columns_[position]) * n_;
  const std::span<T> x = x_.subspan(first, n_), d = column_of(correction_, position);
  for (std::size_t i = 0; i < n_ && !is_first_; ++i) std::swap(d[i], x[i]), x[i] += d[i];
  return {b_.subspan(first, n_),
          x,
          column_of(residual_, position),
          {},
          is_first_ ? std::span<Real<T>>(envelope_) : std::span<Real<T>>()};
}

/// max |correction| / max |x|
template <class T>
double Refinement<T>::relative_change(Index position) const {
  const std::size_t first = static_cast<std::size_t>(columns_[position]) * n_,
                    before = static_cast<std::size_t>(position) * n_;
  double most = 0;
  for (std::size_t i = 0; i < n_; ++i)
    most = std::max<double>(most, std::abs(x_[first + i] - correction_[before + i]));
  return most / kernels::largest(std::span<const T>(x_.subspan(first, n_)));
}

/// Undo the last correction: restore the old x, which apply_correction() stored in its place.
template <class T>
void Refinement<T>::undo_correction(Index position) {
  std::ranges::copy(column_of(correction_, position),
                    x_.subspan(static_cast<std::size_t>(columns_[position]) * n_, n_).begin());
}

/// Undo the correction if it is worse. Returns whether to go on.
template <class T>
bool Refinement<T>::accept_or_undo(Index position, const BackwardError& error) {
  RefinementResult& result = results_[columns_[position]];
  const double before = result.error.strict;
  const bool first = result.steps < 0;
  if (!first && !limits_.refines_x)
    result.error_of_x =
        relative_change(position) * std::min(1.0, std::max(error.strict, half_digit<T>()) / before);
  const bool is_nearer =
      !first && limits_.refines_x && std::isfinite(error.strict) && update_forward_bound(position);
  if (!first && !is_nearer && !(error.strict < before)) {
    undo_correction(position);
    return false;
  }
  result.error = error;
  ++result.steps;
  if (limits_.refines_x) {
    const bool is_converged = last_change_[columns_[position]] <= std::numeric_limits<Real<T>>::epsilon();
    return std::isfinite(error.strict) && (first || (is_nearer && !is_converged)) &&
           result.steps < limits_.steps;
  }
  const bool stagnates = !first && error.strict > limits_.slowest * before;
  return std::isfinite(error.strict) && error.strict > limits_.target && !stagnates &&
         result.steps < limits_.steps;
}

/// Add the column of the test to the next solve, behind the columns that are corrected. It takes little additional time.
template <class T>
void Refinement<T>::start_test(DigitTest test) {
  test_ = test;
  if (test == DigitTest::none) return;
  std::vector<Real<T>> sizes = envelope_;
  for (std::size_t i = 0; test == DigitTest::of_any && i < sizes.size(); ++i)
    sizes[i] = std::max(sizes[i], static_cast<Real<T>>(limits_.row_max[i]));
  change_last_digits<T>(sizes, column_of(residual_, measured_columns()));
}

/// Read the result of the test. A change that overflows is NaN or infinite; both count as infinite. Returns the test that follows.
template <class T>
DigitTest Refinement<T>::end_test() {
  const double most = kernels::largest(std::span<const T>(column_of(correction_, measured_columns())));
  const double change = std::isnan(most) ? std::numeric_limits<double>::infinity() : most;
  if (test_ == DigitTest::of_these) {
    digit_change_.of_these = change;
    return DigitTest::none;
  }
  digit_change_.of_any = change;
  return std::ranges::max(envelope_) > 0 ? next_test<T>(test_, digit_change_) : DigitTest::none;
}

/// Set forward_bound, and return whether x came nearer to the solution. It judges by the changes of x, since the residual may have reached
/// rounding already.
template <class T>
bool Refinement<T>::update_forward_bound(Index position) {
  constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
  const Index column = columns_[position];
  const double now = relative_change(position), share = now / last_change_[column];
  const bool is_nearer = share <= limits_.slowest;
  double& bound = results_[column].forward_bound;
  if (is_nearer)
    bound = std::max(4 * eps, 10 * now * share / (1 - share));
  else if (!std::isnan(bound))
    bound = std::max(bound, 10 * std::max(now, last_change_[column]));  // no nearer: by the last changes
  last_change_[column] = now;
  return is_nearer;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template std::vector<double> row_maxima(const SparseMatrix<T>&);                                       \
  template void change_last_digits(std::span<const Real<T>>, std::span<T>);                              \
  template void raise_envelope(const ResidualColumn<T>&, std::span<const Real<T>>);                      \
  template double residual_share(std::span<const double>, std::span<const T>, std::span<const T>);       \
  template double hidden_share(std::span<const double>, std::span<const T>, std::span<const T>, double); \
  template BackwardError residual(const SparseMatrix<T>&, std::span<const double>, std::span<const T>,   \
                                  std::span<const T>, std::span<T>);                                     \
  template BackwardError backward_error(std::span<const double>, std::span<const T>, std::span<const T>, \
                                        std::span<const T>, std::span<const Real<T>>);                   \
  template RowWeights row_weights(std::span<const double>, std::span<const T>, std::span<const T>,       \
                                  std::span<const Real<T>>);                                             \
  template std::vector<BackwardError> residuals(const SparseMatrix<T>&, std::span<const double>,         \
                                                std::span<const ResidualColumn<T>>, const SliceRunner&,  \
                                                kernels::ResidualSum);                                   \
  template class Refinement<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
