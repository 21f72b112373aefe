#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

struct MultifrontalPlan;

/// When a number is a pivot.
template <class T>
struct PivotTest {
  Real<T> threshold = 0;  ///< share of the largest entry of its row (LDL^T: column)
  Real<T> least = 0;      ///< size
  /// > 0: size from which on a pivot is taken statically, and of what replaces smaller ones
  Real<T> replacement = 0;
};

/// The test of a plan.
/// largest: entry of B
template <class T>
PivotTest<T> pivot_test(const MultifrontalPlan& plan, double largest);

}  // namespace overlapack::sparse
