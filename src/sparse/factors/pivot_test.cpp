#include "sparse/factors/pivot_test.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace overlapack::sparse {

namespace {

/// The largest threshold u of LDL^T with which a 1x1 or 2x2 pivot always exists. Let b be the largest entry,
/// and let no diagonal entry pass as a 1x1 pivot. Then |det| of b's 2x2 pivot is at least |b|^2 (1 - u^2),
/// and it passes if u (1 + u) <= 1 - u^2, that is for u <= 1/2 (Duff and Reid 1983). The size of a complex
/// number is |re| + |im|, up to sqrt(2) |b|; so u (1 + u) <= 1/2 - u^2, that is u <= (sqrt(5) - 1) / 4.
template <class T>
constexpr double most_threshold_of_ldlt = ScalarTraits<T>::is_complex ? 0.3 : 0.5;

/// The value of a share: `share` in double precision, `epsilons` times epsilon in single precision.
template <class T>
double share_in(double share, double epsilons) {
  return std::is_same_v<Real<T>, float> ? epsilons * std::numeric_limits<float>::epsilon() : share;
}

/// Share of the largest entry that static pivots have at least; 0: no static pivots. It is at least 2
/// singular_share, since smaller pivots would count as rounding, and the matrix as singular.
template <class T>
double static_share(const FactorPlan& plan) {
  return plan.perturbation > 0 ? std::max(plan.perturbation, 2 * singular_share<T>(plan)) : 0;
}

}  // namespace

template <class T>
PivotTest<T> pivot_test(const FactorPlan& plan, FactorKind kind, double largest) {
  const double asked =
      plan.keeps_null_pivots ? std::max(plan.pivot_threshold, plan.null_threshold) : plan.pivot_threshold;
  const auto threshold =
      static_cast<Real<T>>(kind == FactorKind::ldlt ? std::min(asked, most_threshold_of_ldlt<T>) : asked);
  if (plan.keeps_null_pivots)
    return {threshold, static_cast<Real<T>>(share_in<T>(plan.null_pivot, 1000) * largest)};
  const auto replacement = static_cast<Real<T>>(static_share<T>(plan) * largest);
  return {threshold, replacement, replacement};
}

template <class T>
PivotTest<T> sign_test(const FactorPlan& plan, std::span<const std::int8_t> sign,
                       std::span<const double> size) {
  PivotTest<T> test;
  const double least = share_in<T>(plan.sign_least, 64);
  test.signs = {.sign = sign.data(),
                .size = size.data(),
                .shift = plan.sign_shift,
                .least = least,
                .replacement = plan.perturbation > 0 ? std::max(plan.perturbation, least)
                                                     : share_in<T>(plan.sign_replacement, 2500)};
  return test;
}

template <class T>
double singular_share(const FactorPlan& plan) {
  return share_in<T>(plan.singular_pivot, 32);
}

template <class T>
double zero_share(const FactorPlan& plan) {
  return share_in<T>(plan.zero_pivot, 2500);
}

template <class T>
double sure_share(const FactorPlan& plan) {
  return share_in<T>(plan.nodes.sure_pivot, 32);
}

void refuse_singular(const std::string& what, const std::string& remedy) {
  throw Error(Status::singular,
              "the matrix is numerically singular: " + what +
                  "; check the model for missing constraints or dependent equations, or factorise with " +
                  remedy);
}

std::string scientific(double x) { return printed("%.1e", x); }

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template PivotTest<T> pivot_test(const FactorPlan&, FactorKind, double);                                   \
  template PivotTest<T> sign_test(const FactorPlan&, std::span<const std::int8_t>, std::span<const double>); \
  template double sure_share<T>(const FactorPlan&);                                                          \
  template double zero_share<T>(const FactorPlan&);                                                          \
  template double singular_share<T>(const FactorPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
