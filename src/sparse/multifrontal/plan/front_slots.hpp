#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse::multifrontal {

/// Which front, and so which rank, gets an entry of B: the front that eliminates the smaller of its two
/// indices.
class FrontSlots final : public EntrySlots {
 public:
  explicit FrontSlots(const Structure& structure);

  Index order() const override { return structure_.tree.n; }
  bool is_symmetric() const override { return structure_.is_symmetric(); }
  const std::vector<int>& owners() const override { return structure_.owner; }
  void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const override;

 private:
  const Structure& structure_;
  std::vector<std::int32_t> front_;  ///< variable -> the front that eliminates it
};

}  // namespace overlapack::sparse::multifrontal
