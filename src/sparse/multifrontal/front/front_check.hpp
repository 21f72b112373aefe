#pragma once
#include "sparse/factors/pivot_check.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse::multifrontal {

/// Errors  BadInput, always: numbers left the range of their type in a front of this order
[[noreturn]] void refuse_overflow(const Structure& structure, Index front, Index order);

/// Checks each pivot of an eliminated front, and that what is left of the front is finite.
/// Errors  Singular where the plan refuses it; BadInput when numbers left the range of their type
template <class T>
void check_pivots(const Structure& structure, const Front<T>& front, PivotCheck<T>& check);

/// Makes pivots of the variables that a root could not eliminate, if everything left of their rows and
/// columns is zero (PivotCheck::replace_zero). A compressed front of LU keeps them without a pivot, which
/// PivotCheck::check_left refuses.
template <class T>
void replace_zeros(const Structure& structure, Front<T>& front, PivotCheck<T>& check);

}  // namespace overlapack::sparse::multifrontal
