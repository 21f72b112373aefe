#pragma once
#include "kernels/pivoting/pivot_signs.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace overlapack::sparse {

struct FactorPlan;

/// The test that a number must pass to be a pivot.
template <class T>
struct PivotTest {
  Real<T> threshold = 0;  ///< u: it is at least this share of the largest entry of its row (LDL^T: column)
  Real<T> least = 0;      ///< and it has at least this size
  /// > 0: static pivoting. A pivot of at least this size is accepted without the threshold, and a smaller one
  /// gets this size.
  Real<T> replacement = 0;
  /// Quasi-definite: signs by permuted variable, in the place of the tests.
  kernels::PivotSigns<T> signs = {};
};

/// The test of a plan for factors of this kind.
/// largest: magnitude of the largest entry of B
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

/// Share of the largest entry of its row or column with which a zero pivot is replaced
/// (FactorPlan::zero_pivot).
template <class T>
double zero_share(const FactorPlan& plan);

/// Share below which static pivots do not prove the matrix regular (NodesPlan::sure_pivot).
template <class T>
double sure_share(const FactorPlan& plan);

/// End a run because of its pivots, with the same sentence for every method.
/// what: what the pivots show; remedy: options to factorise with, besides checking the model
/// Errors  Singular, always
[[noreturn]] void refuse_singular(const std::string& what, const std::string& remedy);

/// "1.2e-17"
std::string scientific(double x);

}  // namespace overlapack::sparse
