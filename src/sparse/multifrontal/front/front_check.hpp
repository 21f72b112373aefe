#pragma once
#include "sparse/factors/pivot_check.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse::multifrontal {

/// Errors  BadInput, always: numbers left the range of their type in a front of this order
[[noreturn]] void refuse_overflow(const Structure& structure, Index front, Index order);

/// Each pivot of an eliminated front.
/// Errors  Singular where the plan refuses it; BadInput when numbers left the range of their type
template <class T>
void check_pivots(const Structure& structure, const Front<T>& front, PivotCheck<T>& check);

/// The variables that a root is left with, if all that is left of their rows and columns is zero: each becomes a pivot. Those of LU in
/// blocks are left, and refused by the root's solve.
template <class T>
void replace_zeros(const Structure& structure, Front<T>& front, PivotCheck<T>& check);

}  // namespace overlapack::sparse::multifrontal
