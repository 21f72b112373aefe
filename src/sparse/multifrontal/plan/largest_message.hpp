#pragma once
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstddef>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::multifrontal {

/// Bytes of the largest message of a factorisation as predicted, without delayed pivots: a contribution block, what a strip takes of
/// one, or a panel for strips.
std::size_t largest_message(const Structure& structure, const FactorPlan& plan, int ranks,
                            std::size_t entry_bytes);

}  // namespace overlapack::sparse::multifrontal
