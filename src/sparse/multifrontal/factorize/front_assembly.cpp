#include "sparse/multifrontal/factorize/front_assembly.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::sparse::multifrontal {

template <class T>
Front<T>& FrontAssembly<T>::begin(Index f, bool is_zeroed) {
  collect_children(f);
  Front<T>& front = state_.front(f);  // as new
  front.number = f;
  front.border = structure_.tree.border(f);
  front.summed = structure_.tree.pivots(f);
  for (const auto& child : children_) front.summed += child.delayed;
  allocate(front, is_zeroed);
  assembler_.begin(front, children_);
  return front;
}

/// Views of the children's contributions, without the parts that travel to other ranks.
template <class T>
void FrontAssembly<T>::collect_children(Index f) {
  const bool is_shared = structure_.is_shared(f), has_panel = structure_.has_panel(f);
  children_.clear();
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    Contribution<T> child =
        state_.is_mine(c) ? contribution_of(state_.front(c)) : state_.remote[c].contribution();
    child.front = c;
    child.border = structure_.tree.border(c);
    if (state_.is_mine(c) && state_.front(c).on_stack >= 0)
      child.block.data = state_.space.stack.data() + state_.front(c).on_stack;
    if (!has_panel) child.square = child.rows = {};
    if (is_shared)
      child.block = {}, child.cols = {};
    else if (structure_.is_shared(c))
      state_.remote[c].add_rows_to(child);
    children_.push_back(child);
  }
}

template <class T>
bool FrontAssembly<T>::allocate_in_file(Front<T>& front, bool is_zeroed) {
  if (!state_.file) return false;
  const Index entries = front.entries(structure_.kind, state_.keeps_lower(front.number));
  state_.file->allocate(static_cast<std::size_t>(entries) * sizeof(T), front.position, is_zeroed);
  state_.point_into_file(front);
  if (!is_zeroed && structure_.kind == FactorKind::ldlt) {
    std::fill_n(front.d, front.summed, T(0));
    std::fill_n(front.d_off, front.summed, T(0));
  }
  return true;
}

/// Panel and L21 in a block of the pool, for as long as the front is eliminated.
template <class T>
void FrontAssembly<T>::allocate_low_rank(Front<T>& front) {
  const bool has_lower = state_.keeps_lower(front.number);
  const Index entries = front.entries(structure_.kind, has_lower);
  const auto bytes = static_cast<std::size_t>(entries) * sizeof(T);
  front.low_rank = std::make_unique<LowRankFactors<T>>();
  front.low_rank->dense = HeldBlock(state_.ledger, bytes);
  T* const dense = front.low_rank->dense.template as<T>();
  std::memset(static_cast<void*>(dense), 0, bytes);
  front.set_pointers(dense, structure_.kind, has_lower);
}

template <class T>
void FrontAssembly<T>::allocate(Front<T>& front, bool is_zeroed) {
  Arena& arena = state_.ledger.factors;
  const auto s = static_cast<std::size_t>(front.summed);
  const auto numbers = [&](Index ld) {
    const std::size_t count = static_cast<std::size_t>(ld) * s;
    return is_zeroed ? arena.zeros<T>(count) : arena.unset<T>(count);
  };
  const bool is_compressed = is_low_rank(state_.low_rank, structure_, front.number);
  if (is_compressed) allocate_low_rank(front);
  const bool has_panel = structure_.has_panel(front.number),
             is_in_file = has_panel && allocate_in_file(front, is_zeroed);
  if (has_panel && !is_in_file && !is_compressed) front.panel_data = numbers(padded_ld(front.order()));
  front.row_name = front.col_name = arena.zeros<std::int32_t>(s);
  if (!structure_.is_symmetric()) {
    if (!structure_.is_shared(front.number) && !is_in_file && !is_compressed)
      front.lower_data = numbers(padded_ld(front.border));
    front.col_name = arena.zeros<std::int32_t>(s);
  }
  if (structure_.kind == FactorKind::ldlt && !is_in_file) {
    front.d = arena.zeros<T>(s);
    front.d_off = arena.zeros<T>(s);
  }
  state_.ledger.update_peak();
}

template <class T>
void FrontAssembly<T>::add_summed(Front<T>& front) {
  assembler_.add_entries(front, entries_of_(front.number));
  assembler_.add_summed(front, children_, 0, front.summed);
}

template <class T>
void FrontAssembly<T>::sort_entries(const Front<T>& front, std::span<const Index> bounds) {
  entries_ = entries_of_(front.number);
  assembler_.sort_entries(front, entries_, bounds, entry_order_, entry_start_);
}

/// Symmetric: columns are zeroed from the diagonal on. The tasks of other columns use the part above it as
/// work space.
template <class T>
void FrontAssembly<T>::add_columns(const Front<T>& front, Index range, Index first, Index last) const {
  const MatrixView<T> panel = front.panel(), lower = front.L21();
  const Index top = structure_.is_symmetric() ? first : 0;
  for (Index j = first; j < last; ++j) {
    std::fill_n(panel.column(j) + top, panel.rows - top, T(0));
    if (lower.data != nullptr) std::fill_n(lower.column(j), lower.rows, T(0));
  }
  const auto begin = static_cast<std::size_t>(entry_start_[range]),
             end = static_cast<std::size_t>(entry_start_[range + 1]);
  assembler_.add_entries(front, entries_, std::span(entry_order_).subspan(begin, end - begin));
  assembler_.add_summed(front, children_, first, last);
}

template <class T>
void FrontAssembly<T>::release_children(Index f) {
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    if (state_.is_mine(c)) {
      state_.front(c).block.give_back();
      state_.finish(state_.front(c));  // f has taken its delayed pivots
    }
    if (!state_.is_mine(c) || structure_.is_shared(c)) state_.remote[c].release();
  }
}

template <class T>
void FrontAssembly<T>::release_remote_children(Index f) {
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    if (!state_.is_mine(c)) state_.remote[c].release();
}

OVERLAPACK_INSTANTIATE_CLASS(FrontAssembly);

}  // namespace overlapack::sparse::multifrontal
