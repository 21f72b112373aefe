#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/supernodal/layout/supernodal_layout.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Which rank gets an entry of B: the owner of its block. Each rank has one slot.
class NodeSlots final : public EntrySlots {
 public:
  NodeSlots(const SupernodalLayout& layout, int ranks)
      : layout_(layout), owners_(static_cast<std::size_t>(ranks)) {
    std::iota(owners_.begin(), owners_.end(), 0);
  }

  Index order() const override { return static_cast<Index>(layout_.home.size()); }
  bool is_symmetric() const override { return false; }
  const std::vector<int>& owners() const override { return owners_; }
  void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const override {
    for (const std::int32_t i : row) *slot++ = layout_.owner_of(i, column);
  }

 private:
  const SupernodalLayout& layout_;
  std::vector<int> owners_;
};

}  // namespace overlapack::sparse::supernodal
