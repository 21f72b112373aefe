#pragma once
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/front/assemble.hpp"
#include "sparse/multifrontal/front/low_rank_front.hpp"

#include <functional>
#include <span>
#include <utility>

namespace overlapack::sparse::multifrontal {

/// Prepares the fronts of this rank, one at a time, for their elimination: gives them memory and names, and
/// adds the entries of B and the children's contributions (Assembler). All kinds of fronts use it.
template <class T>
class FrontAssembly {
 public:
  using EntriesOf = std::function<EntryList<T>(Index)>;

  FrontAssembly(FactorState<T>& state, EntriesOf entries_of)
      : state_(state),
        structure_(state.structure),
        entries_of_(std::move(entries_of)),
        assembler_(state.structure, state.space),
        children_(state.space.children) {}

  /// Allocates the owner's part of front f, with room for what its children delayed, and sets the names.
  /// is_zeroed: are panel and L21 zeroed here? Else add_columns does that
  Front<T>& begin(Index f, bool is_zeroed = true);
  /// The children of the front that was begun last, in the order of their numbers.
  std::span<const Contribution<T>> children() const { return children_; }

  /// Room for panel, L21 and D among what goes to the file. Returns whether factors go there.
  bool allocate_in_file(Front<T>& front, bool is_zeroed = true);

  /// The entries of B that are assembled in f.
  EntryList<T> entries_of(Index f) const { return entries_of_(f); }
  /// Panel and L21 += entries of B, and the children's parts that meet a fully summed row or column.
  void add_summed(Front<T>& front);
  /// The same by ranges of columns, bounds[r] .. bounds[r + 1] - 1, on which threads may work at the same
  /// time: sort_entries once, then add_columns, which zeroes the columns first, for each range.
  void sort_entries(const Front<T>& front, std::span<const Index> bounds);
  void add_columns(const Front<T>& front, Index range, Index first, Index last) const;
  void add_border(const Front<T>& front, Index first, Index last) const {
    assembler_.add_border(front, children_, first, last);
  }
  /// C += the rest of the children.
  void add_border(Front<T>& front) { assembler_.add_border(front, children_, 0, front.border); }
  /// Give back what the children left: all of it, or what came from other ranks.
  void release_children(Index f);
  void release_remote_children(Index f);

 private:
  void collect_children(Index f);
  void allocate(Front<T>& front, bool is_zeroed);
  void allocate_low_rank(Front<T>& front);

  FactorState<T>& state_;
  const Structure& structure_;
  EntriesOf entries_of_;
  Assembler<T> assembler_;
  std::vector<Contribution<T>>& children_;
  EntryList<T> entries_ = {};  ///< of the front whose columns are added in ranges
  std::vector<std::int32_t> entry_order_;
  std::vector<Index> entry_start_;
};

}  // namespace overlapack::sparse::multifrontal
