#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/supernodal/node_grid.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace overlapack::sparse {

/// An entry goes to the rank of its block: one slot a rank.
class NodeSlots final : public EntrySlots {
 public:
  NodeSlots(const NodeGrid& nodes, int ranks) : nodes_(nodes), owners_(static_cast<std::size_t>(ranks)) {
    std::iota(owners_.begin(), owners_.end(), 0);
  }

  Index order() const override { return nodes_.order(); }
  bool is_symmetric() const override { return false; }
  const std::vector<int>& owners() const override { return owners_; }
  void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const override {
    if (nodes_.grid().size() == 1) {
      std::fill_n(slot, row.size(), nodes_.owner(0));
      return;
    }
    const std::int32_t node = nodes_.node_of(column);
    for (const std::int32_t i : row) *slot++ = nodes_.owner(nodes_.node_of(i), node);
  }

 private:
  const NodeGrid& nodes_;
  std::vector<int> owners_;
};

}  // namespace overlapack::sparse
