#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Assembles fronts: adds original entries and the children's contributions (extend-add), for a whole front
/// or a range of its columns. Threads may work on different ranges at the same time.
template <class T>
class Assembler {
 public:
  Assembler(const Structure& structure, FrontSpace<T>& space);

  /// Names of the fully summed variables: the children's delayed ones in the order of `children`, then the pivots.
  /// Sets the positions for the calls that follow.
  void begin(const Front<T>& front, std::span<const Contribution<T>> children);
  /// panel and lower += the original entries: those whose smaller index is one of the front's pivots.
  void add_entries(const Front<T>& front, const EntryList<T>& entries);
  /// Sorts the indices of the entries by the range of columns, bounds[r] .. bounds[r + 1] - 1, that
  /// add_entries adds them to.
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
    const std::int32_t* map;        ///< its border row -> position in the front
    const std::int32_t* block_map;  ///< its border row -> row of C; below 0 for fully summed ones
    Index summed;                 ///< rows of its border that are fully summed in the front; they come first
    const std::int32_t* delayed;  ///< its delayed variable -> position in the front
  };
  template <class F>
  void for_each_child(std::span<const Contribution<T>> children, F&& f) const;
  void add_entry(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const;
  Index column_of(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const;
  void add_summed_lu(const Front<T>& front, const Child& child, Index first, Index last) const;
  void add_summed_symmetric(const Front<T>& front, const Child& child, Index first, Index last) const;
  /// For a child in tiles. The first adds what meets its rows or columns lo .. hi - 1, which are fully summed
  /// in the front; the second adds the rest in its columns lo .. hi - 1.
  void add_summed_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const;
  void add_border_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const;

  const Structure& structure_;
  std::vector<std::int32_t>&position_, &map_, &identity_;  ///< as in FrontSpace
};

}  // namespace overlapack::sparse::multifrontal
