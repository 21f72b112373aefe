#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Sums original entries and children into fronts.
template <class T>
class Assembler {
 public:
  Assembler(const Structure& structure, FrontSpace<T>& space);

  /// Names of the fully summed variables: the children's delayed ones in the order of `children`, then the pivots.
  /// Sets the positions for the calls that follow.
  void begin(const Front<T>& front, std::span<const Contribution<T>> children);
  /// panel and lower += the original entries: those whose smaller index is one of the front's pivots.
  void add_entries(const Front<T>& front, const EntryList<T>& entries);
  /// panel and lower += the part of each child that meets a fully summed row or column. Of a child without a block (its
  /// rows travel in pieces), only what it delayed.
  void add_summed(const Front<T>& front, std::span<const Contribution<T>> children);
  /// C += the rest of each child, after C was computed.
  void add_border(const Front<T>& front, std::span<const Contribution<T>> children);

 private:
  /// Positions of a child's border rows in the front; returns how many of them are fully summed there.
  Index map_border(const Front<T>& front, const Contribution<T>& child);
  void add_summed_lu(const Front<T>& front, const Contribution<T>& child, Index offset);
  void add_summed_symmetric(const Front<T>& front, const Contribution<T>& child, Index offset);
  /// Of a child in tiles: what meets one of its first q rows or columns, which are fully summed; and the rest.
  void add_summed_tiles(const Front<T>& front, const Contribution<T>& child, Index q);
  void add_border_tiles(const Front<T>& front, const Contribution<T>& child, Index q);

  const Structure& structure_;
  std::vector<std::int32_t>&position_, &map_, &identity_;  ///< as in FrontSpace
  TileSpace<T>& tile_;
};

}  // namespace overlapack::sparse::multifrontal
