#pragma once
#include "sparse/multifrontal/front/front.hpp"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The fronts of one rank, by their numbers. None moves until `remove_gaps`.
template <class T>
class FrontTable {
 public:
  FrontTable() = default;
  /// An empty table for a tree with so many fronts.
  explicit FrontTable(Index fronts) : position_(static_cast<std::size_t>(fronts), -1) {}

  bool has(Index f) const { return position_[static_cast<std::size_t>(f)] >= 0; }
  Front<T>& operator[](Index f) {
    return fronts_[static_cast<std::size_t>(position_[static_cast<std::size_t>(f)])];
  }
  /// Number of fronts that were added before it.
  Index position(Index f) const { return position_[static_cast<std::size_t>(f)]; }

  Front<T>& add(Index f) {
    position_[static_cast<std::size_t>(f)] = static_cast<std::int32_t>(fronts_.size());
    return fronts_.emplace_back();
  }
  /// Front f is another rank's from now on.
  void remove(Index f) { position_[static_cast<std::size_t>(f)] = -1; }
  /// Puts the fronts in ascending order, without those that were removed.
  void remove_gaps() {
    FrontTable ascending(static_cast<Index>(position_.size()));
    for (Index f = 0; f < static_cast<Index>(position_.size()); ++f)
      if (has(f)) ascending.add(f) = std::move((*this)[f]);
    *this = std::move(ascending);
  }

  auto begin() { return fronts_.begin(); }
  auto end() { return fronts_.end(); }
  auto begin() const { return fronts_.begin(); }
  auto end() const { return fronts_.end(); }
  std::size_t size() const { return fronts_.size(); }

 private:
  std::deque<Front<T>> fronts_;
  std::vector<std::int32_t> position_;  ///< front -> its position among these, -1 if another rank's
};

}  // namespace overlapack::sparse::multifrontal
