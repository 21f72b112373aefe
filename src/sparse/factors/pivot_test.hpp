#pragma once
#include "overlapack/scalar.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <string>

namespace overlapack::sparse {

/// When a number is a pivot.
template <class T>
struct PivotTest {
  Real<T> threshold = 0;  ///< share of the largest entry of its row (LDL^T: column)
  Real<T> least = 0;      ///< size
  /// > 0: size from which on a pivot is taken statically, and of what replaces smaller ones
  Real<T> replacement = 0;
};

/// 1x1 and 2x2 pivots of LDL^T that pass a higher threshold need not exist. Where b is the largest entry, and no diagonal one passes
/// 1x1, |det| of its 2x2 pivot is at least |b|^2 (1 - u^2), and it passes for u (1 + u) <= 1 - u^2, u <= 1/2 (Duff and Reid 1983). The
/// size of a complex number is |re| + |im|, up to sqrt(2) |b|: u (1 + u) <= 1/2 - u^2, u <= (sqrt(5) - 1) / 4.
template <class T>
inline constexpr double most_threshold_of_ldlt = ScalarTraits<T>::is_complex ? 0.3 : 0.5;

/// The test of a plan.
/// largest: entry of B
template <class T>
PivotTest<T> pivot_test(const FactorPlan& plan, double largest);

/// Share of the largest entries of its row and column below which a pivot is rounding, in the precision of T.
template <class T>
double singular_share(const FactorPlan& plan);

/// Share of them that a pivot of which nothing was left becomes (FactorPlan::zero_pivot).
template <class T>
double zero_share(const FactorPlan& plan);

/// The same below which static pivots do not tell that the matrix is regular (NodesPlan::sure_pivot).
template <class T>
double sure_share(const FactorPlan& plan);

/// `what` pivots tell, in the words that every method ends such a run with.
/// method: where it was found; remedy: what to do, besides checking the model
/// Errors  Singular, always
[[noreturn]] void refuse_singular(const std::string& what, const std::string& remedy);

/// "1.2e-17"
std::string scientific(double x);

}  // namespace overlapack::sparse
