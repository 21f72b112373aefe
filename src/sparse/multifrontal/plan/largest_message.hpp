#pragma once
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstddef>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::multifrontal {

/// Predicted bytes of the largest message of a factorisation, delayed pivots not counted: a contribution
/// block, the part of one that a strip gets, or a panel from a master to its strips. The budget of sends
/// follows from it (WalkPlan).
std::size_t largest_message(const Structure& structure, const FactorPlan& plan, int ranks,
                            std::size_t entry_bytes);

}  // namespace overlapack::sparse::multifrontal
