#include "api/refine/flexible_gmres.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/orthogonalise.hpp"
#include "kernels/product/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace overlapack::api {

template <class T>
FlexibleGmres<T>::FlexibleGmres(Residuals<T> residuals, std::span<const T> b, std::span<T> x,
                                const KrylovLimits& limits, Product<T> multiply)
    : x_(std::move(residuals), b, x, std::move(multiply)), limits_(limits), r_(b.size()) {}

template <class T>
void FlexibleGmres<T>::advance() {
  if (ends_cycle_)
    add_krylov_combination();
  else if (in_cycle_)
    extend();
  else
    start_cycle_or_end();
}

/// Compute the true residual of x; end if x is good enough or no better than before, else begin a cycle.
template <class T>
void FlexibleGmres<T>::start_cycle_or_end() {
  const bool is_better = x_.update_residual(r_);
  is_over_ = !is_better || error().sum() <= limits_.target || steps_ >= limits_.steps;
  if (!is_over_) begin_cycle();
}

template <class T>
void FlexibleGmres<T>::begin_cycle() {
  const double size = kernels::norm2<T>(r_);
  goal_ = limits_.needed_reduction(error().sum()) * size;
  V_.assign(1, r_);
  kernels::scale<T>(V_.front(), 1 / size);
  Z_.assign(1, std::vector<T>(r_.size()));
  H_.clear();
  cosine_.clear();
  sine_.clear();
  rest_.assign(1, T(static_cast<Real<T>>(size)));
  in_cycle_ = true;
}

/// Extend the basis: A z_k = V h, where V gets another vector.
template <class T>
void FlexibleGmres<T>::extend() {
  std::vector<T> w(r_.size()), h(V_.size() + 1);
  x_.multiply(Z_.back(), w);
  const double size = kernels::orthogonalise<T>(V_, w, std::span<T>(h).first(V_.size()));
  h.back() = T(static_cast<Real<T>>(size));
  ++steps_;
  rotate(h);
  const bool is_full = static_cast<int>(H_.size()) == limits_.restart || steps_ == limits_.steps;
  const bool is_done = static_cast<double>(std::abs(rest_.back())) <= goal_;
  if (is_full || is_done || !(size > 0)) return end_cycle();
  kernels::scale<T>(w, 1 / size);
  V_.push_back(std::move(w));
  if (!limits_.is_fixed) Z_.emplace_back(r_.size());
}

/// Apply the rotations so far to the new column of H, and one more that makes H triangular.
template <class T>
void FlexibleGmres<T>::rotate(std::vector<T>& column) {
  const std::size_t k = H_.size();
  const auto turn = [](Real<T> c, const T& s, T& upper, T& lower) {
    const T old = upper;
    upper = c * old + s * lower;
    lower = -conjugate(s) * old + c * lower;
  };
  for (std::size_t i = 0; i < k; ++i) turn(cosine_[i], sine_[i], column[i], column[i + 1]);
  const Real<T> a = std::abs(column[k]),
                length = std::hypot(a, static_cast<Real<T>>(std::abs(column[k + 1])));
  const T direction = a > 0 ? column[k] / a : T(1);
  cosine_.push_back(length > 0 ? a / length : Real<T>(1));
  sine_.push_back(length > 0 ? direction * conjugate(column[k + 1]) / length : T(0));
  turn(cosine_[k], sine_[k], column[k], column[k + 1]);
  rest_.push_back(T(0));
  turn(cosine_[k], sine_[k], rest_[k], rest_[k + 1]);
  column.pop_back();
  H_.push_back(column);
}

/// End the cycle: x <- x + Z y with H y = rest. If M^{-1} is fixed, the next solve gives Z y = M^{-1} V y.
template <class T>
void FlexibleGmres<T>::end_cycle() {
  std::vector<T> y(rest_.begin(), rest_.end() - 1);
  for (std::size_t k = y.size(); k-- > 0;) {
    y[k] = H_[k][k] != T(0) ? y[k] / H_[k][k] : T(0);
    for (std::size_t i = 0; i < k; ++i) y[i] -= H_[k][i] * y[k];
  }
  if (limits_.is_fixed) {
    std::ranges::fill(r_, T(0));
    for (std::size_t k = 0; k < y.size(); ++k) kernels::add_multiple_to<T>(r_, y[k], V_[k]);
    ends_cycle_ = true;
    return;
  }
  in_cycle_ = false;
  for (std::size_t k = 0; k < y.size(); ++k) x_.add(y[k], Z_[k]);
}

/// x <- x + Z y, where the last solve gave Z y.
template <class T>
void FlexibleGmres<T>::add_krylov_combination() {
  x_.add(T(1), Z_.back());
  in_cycle_ = ends_cycle_ = false;
}

OVERLAPACK_INSTANTIATE_CLASS(FlexibleGmres);

}  // namespace overlapack::api
