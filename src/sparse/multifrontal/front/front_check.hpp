#pragma once
#include "sparse/factors/pivot_check.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse {

/// Each pivot of an eliminated front.
/// Errors  Singular; BadInput when numbers left the range of their type
template <class T>
void check_pivots(const Structure& structure, const Front<T>& front, PivotCheck<T>& check);

}  // namespace overlapack::sparse
