#include "api/refine/flexible_cg.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/vectors.hpp"

#include <cmath>
#include <utility>

namespace overlapack::api {

template <class T>
FlexibleCg<T>::FlexibleCg(Residuals<T> residuals, std::span<const T> b, std::span<T> x,
                          const KrylovLimits& limits, Product<T> multiply)
    : x_(std::move(residuals), b, x, std::move(multiply)), limits_(limits), r_(b.size()), z_(b.size()) {}

template <class T>
void FlexibleCg<T>::advance() {
  if (in_cycle_)
    extend();
  else
    start_cycle_or_end();
}

/// Compute the true residual of x; end if x is good enough or no better than before.
template <class T>
void FlexibleCg<T>::start_cycle_or_end() {
  const bool is_better = x_.update_residual(r_);
  is_over_ = !is_better || error().sum() <= limits_.target || steps_ >= limits_.steps;
  in_cycle_ = !is_over_;
  goal_ = is_over_ ? 0 : limits_.needed_reduction(error().sum()) * kernels::norm2<T>(r_);
  p_.clear();
  Ap_.assign(r_.size(), T(0));
}

/// Take one step: compute the new direction, and move x and r along it.
template <class T>
void FlexibleCg<T>::extend() {
  const T along = p_.empty() ? T(0) : kernels::inner_product<T>(Ap_, z_) / static_cast<Real<T>>(curvature_);
  std::vector<T> p = z_;
  if (!p_.empty()) kernels::add_multiple_to<T>(p, -along, p_);
  p_ = std::move(p);
  x_.multiply(p_, Ap_);
  ++steps_;
  curvature_ = std::real(kernels::inner_product<T>(p_, Ap_));
  if (!(curvature_ > 0) || !std::isfinite(curvature_)) {
    in_cycle_ = false;
    return;
  }
  const T alpha = kernels::inner_product<T>(p_, r_) / static_cast<Real<T>>(curvature_);
  x_.add(alpha, p_);
  kernels::add_multiple_to<T>(r_, -alpha, Ap_);
  in_cycle_ = kernels::norm2<T>(r_) > goal_ && steps_ < limits_.steps;
}

OVERLAPACK_INSTANTIATE_CLASS(FlexibleCg);

}  // namespace overlapack::api
