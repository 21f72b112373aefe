#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Sums original entries and children into fronts, whole or a range of columns at a time: ranges may be worked on side by side.
template <class T>
class Assembler {
 public:
  Assembler(const Structure& structure, FrontSpace<T>& space);

  /// Names of the fully summed variables: the children's delayed ones in the order of `children`, then the pivots.
  /// Sets the positions for the calls that follow.
  void begin(const Front<T>& front, std::span<const Contribution<T>> children);
  /// panel and lower += the original entries: those whose smaller index is one of the front's pivots.
  void add_entries(const Front<T>& front, const EntryList<T>& entries);
  /// The numbers of the entries that add_entries adds to columns bounds[r] .. bounds[r + 1] - 1, range after range.
  /// Shapes  start: bounds.size(), where each range begins
  void sort_entries(const Front<T>& front, const EntryList<T>& entries, std::span<const Index> bounds,
                    std::vector<std::int32_t>& order, std::vector<Index>& start) const;
  void add_entries(const Front<T>& front, const EntryList<T>& entries,
                   std::span<const std::int32_t> numbers) const;
  /// Columns first .. last - 1 of panel and lower += the part of each child that meets a fully summed row or column. Of a child
  /// without a block (its rows travel in pieces), only what it delayed.
  void add_summed(const Front<T>& front, std::span<const Contribution<T>> children, Index first,
                  Index last) const;
  /// Columns first .. last - 1 of C += the rest of each child, after C was computed.
  void add_border(const Front<T>& front, std::span<const Contribution<T>> children, Index first,
                  Index last) const;

 private:
  /// A child with the positions of its rows in the front.
  struct Child {
    const Contribution<T>& of;
    const std::int32_t* map;        ///< of its border rows
    const std::int32_t* block_map;  ///< of those of them that are not fully summed, in C
    Index summed;                   ///< rows of its border that are fully summed in the front
    const std::int32_t* delayed;    ///< of what it delayed
  };
  template <class F>
  void for_each_child(std::span<const Contribution<T>> children, F&& f) const;
  void add_entry(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const;
  Index column_of(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const;
  void add_summed_lu(const Front<T>& front, const Child& child, Index first, Index last) const;
  void add_summed_symmetric(const Front<T>& front, const Child& child, Index first, Index last) const;
  /// Of a child in tiles: what meets one of its rows or columns lo .. hi - 1, which are fully summed; and the rest, columns lo .. hi - 1.
  void add_summed_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const;
  void add_border_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const;

  const Structure& structure_;
  std::vector<std::int32_t>&position_, &map_, &identity_;  ///< as in FrontSpace
};

}  // namespace overlapack::sparse::multifrontal
