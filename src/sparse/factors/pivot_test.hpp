#pragma once
#include "kernels/pivoting/pivot_signs.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace overlapack::sparse {

struct FactorPlan;

/// When a number is a pivot.
template <class T>
struct PivotTest {
  Real<T> threshold = 0;  ///< share of the largest entry of its row (LDL^T: column)
  Real<T> least = 0;      ///< size
  /// > 0: size from which on a pivot is accepted statically, and of the replacement of smaller ones
  Real<T> replacement = 0;
  kernels::PivotSigns<T> signs = {};  ///< by permuted variable, where they are known
};

/// The test of a plan for factors of this kind.
/// largest: entry of B
template <class T>
PivotTest<T> pivot_test(const FactorPlan& plan, FactorKind kind, double largest);

/// The test of a quasi-definite matrix: every pivot is taken, mended by its sign.
/// sign, size: by permuted variable; they outlive the test
template <class T>
PivotTest<T> sign_test(const FactorPlan& plan, std::span<const std::int8_t> sign,
                       std::span<const double> size);

/// Share of the largest entries of its row and column below which a pivot is rounding, in the precision of T.
template <class T>
double singular_share(const FactorPlan& plan);

/// Share of these that replaces a pivot of zero (FactorPlan::zero_pivot).
template <class T>
double zero_share(const FactorPlan& plan);

/// Share below which static pivots do not prove the matrix regular (NodesPlan::sure_pivot).
template <class T>
double sure_share(const FactorPlan& plan);

/// End a run because of its pivots, with the same sentence for every method: what they show, and the remedy.
/// method: where it was found; remedy: what to do, besides checking the model
/// Errors  Singular, always
[[noreturn]] void refuse_singular(const std::string& what, const std::string& remedy);

/// "1.2e-17"
std::string scientific(double x);

}  // namespace overlapack::sparse
