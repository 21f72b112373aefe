#include "sparse/multifrontal/plan/front_slots.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

FrontSlots::FrontSlots(const Structure& structure)
    : structure_(structure), front_(static_cast<std::size_t>(structure.tree.n)) {
  const AssemblyTree& tree = structure.tree;
  for (Index f = 0; f < tree.fronts(); ++f)
    std::fill(front_.begin() + tree.first_pivot[f], front_.begin() + tree.first_pivot[f + 1],
              static_cast<std::int32_t>(f));
}

void FrontSlots::find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const {
  const bool lower_only = structure_.is_symmetric();
  for (const std::int32_t i : row) *slot++ = lower_only && i < column ? -1 : front_[std::min(i, column)];
}

}  // namespace overlapack::sparse::multifrontal
