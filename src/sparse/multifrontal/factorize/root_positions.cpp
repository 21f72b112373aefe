#include "sparse/multifrontal/factorize/root_positions.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

RootPositions root_positions(const AssemblyTree& tree, Index child, DelayedToRoot delayed,
                             const dist::BlockCyclic& rows, const dist::BlockCyclic& cols) {
  const Index root = tree.parent[child];
  RootPositions positions;
  for (Index k = 0; k < delayed.mine; ++k)
    positions.position.push_back(static_cast<std::int32_t>(delayed.before + k));
  const std::int32_t* border = tree.rows(child);
  for (Index k = 0; k < tree.border(child); ++k)
    positions.position.push_back(static_cast<std::int32_t>(delayed.all + border[k] - tree.first_pivot[root]));

  positions.rows.resize(static_cast<std::size_t>(rows.processes));
  positions.cols.resize(static_cast<std::size_t>(cols.processes));
  for (std::size_t k = 0; k < positions.position.size(); ++k) {
    const dist::Global g{positions.position[k]};
    positions.rows[static_cast<std::size_t>(rows.owner(g))].push_back(static_cast<std::int32_t>(k));
    positions.cols[static_cast<std::size_t>(cols.owner(g))].push_back(static_cast<std::int32_t>(k));
  }
  return positions;
}

std::span<const std::int32_t> entries_between(const std::vector<std::int32_t>& list, Index first, Index end) {
  const auto from = std::ranges::lower_bound(list, first), to = std::ranges::lower_bound(list, end);
  return {from, to};
}

}  // namespace overlapack::sparse::multifrontal
