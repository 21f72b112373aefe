#include "sparse/multifrontal/factorize/small_fronts.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/swap.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

/// The largest order of a small front. The blocks of its children are no larger, and so are one panel each
/// (staircase_width).
constexpr Index most_small_order = 64;

}  // namespace

template <class T>
SmallFronts<T>::SmallFronts(const FrontContext<T>& here, const PivotTest<T>& test,
                            const Eliminator<T>& eliminator)
    : here_(here),
      space_(here.state.space),
      test_(test),
      eliminator_(eliminator),
      is_phantom_(here.rank.capabilities().is_phantom),
      most_(here.structure.is_symmetric() && test.replacement == 0
                ? std::min(here.plan.fronts.small_order, most_small_order)
                : 0),
      block_(static_cast<std::size_t>(padded_ld(most_) * most_)),
      w_(block_.size()) {
  space_.stack_top = 0;  // a walk that ended early may have left something
}

template <class T>
bool SmallFronts<T>::is_small_enough(Index f) const {
  const Structure& structure = here_.structure;
  if (structure.tree.order(f) > most_) return false;
  for (Index c = structure.first_child[f]; c >= 0; c = structure.next_sibling[c]) {
    if (structure.task_of[c] != structure.task_of[f]) return false;  // it may be another rank's
    const Front<T>& child = here_.state.front(c);
    const bool is_compressed = child.low_rank && !child.low_rank->contribution.empty();
    if (child.delayed() > 0 || is_compressed) return false;
  }
  return true;
}

template <class T>
bool SmallFronts<T>::eliminate_if_small(Index f) {
  if (!is_small_enough(f)) return false;
  Front<T>& front = begin(f);
  if (!is_phantom_) {
    add_entries(front);
    for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c])
      add_child(front, here_.state.front(c));
  }
  const Elimination done = is_phantom_ ? eliminator_.accept_all_pivots(front) : eliminate_pivots(front);
  here_.tally.count_front(front, done, here_.structure.flops[f]);
  if (front.border > 0 && !is_phantom_) update(front);
  here_.assembly.release_children(f);
  pop_children(f);
  if (front.border > 0) store_contribution(front);
  ++here_.state.stats.small_fronts;
  return true;
}

/// Memory, names, and the position of each variable.
template <class T>
Front<T>& SmallFronts<T>::begin(Index f) {
  const AssemblyTree& tree = here_.structure.tree;
  Front<T>& front = here_.state.front(f);  // as new
  front.number = f;
  front.summed = tree.pivots(f);
  front.border = tree.border(f);
  Arena& arena = here_.state.ledger.factors;
  const Index s = front.summed, ld = padded_ld(front.order());
  const bool has_d = here_.structure.kind == FactorKind::ldlt;
  if (!here_.assembly.allocate_in_file(front)) {
    front.panel_data = arena.zeros<T>(static_cast<std::size_t>((ld + (has_d ? 2 : 0)) * s));
    if (has_d) {
      front.d = front.panel_data + ld * s;
      front.d_off = front.d + s;
    }
  }
  front.row_name = front.col_name = arena.zeros<std::int32_t>(static_cast<std::size_t>(s));
  here_.state.ledger.update_peak();

  std::int32_t* const position = space_.position.data();
  const auto first = static_cast<std::int32_t>(tree.first_pivot[f]);
  for (std::int32_t i = 0; i < s; ++i) {
    front.row_name[i] = first + i;
    position[first + i] = i;
  }
  const std::int32_t* const rows = tree.rows(f);
  for (Index i = 0; i < front.border; ++i) position[rows[i]] = static_cast<std::int32_t>(s + i);
  const MatrixView<T> C = block(front);
  std::fill_n(C.data, C.ld * C.cols, T(0));
  return front;
}

template <class T>
void SmallFronts<T>::add_entries(const Front<T>& front) {
  const EntryList<T> entries = here_.assembly.entries_of(front.number);
  const std::int32_t* const position = space_.position.data();
  const MatrixView<T> panel = front.panel();
  for (std::size_t k = 0; k < entries.value.size(); ++k)
    panel(position[entries.row[k]], position[entries.col[k]]) += entries.value[k];
}

/// Panel and C += the child's C.
template <class T>
void SmallFronts<T>::add_child(const Front<T>& front, const Front<T>& child) {
  const Index s = front.summed, m = child.border, ld = padded_ld(m);
  const T* from = child.on_stack >= 0 ? space_.stack.data() + child.on_stack : child.block.template as<T>();
  const std::int32_t* const rows = here_.structure.tree.rows(child.number);
  std::int32_t in_parent[most_small_order];
  for (Index i = 0; i < m; ++i) in_parent[i] = space_.position[rows[i]];
  const MatrixView<T> panel = front.panel(), C = block(front);
  for (Index j = 0; j < m; ++j, from += ld) {
    const Index column = in_parent[j];
    T* const to = column < s ? panel.column(column) : C.column(column - s) - s;
    for (Index i = j; i < m; ++i) to[in_parent[i]] += from[i];
  }
}

template <class T>
Elimination SmallFronts<T>::eliminate_pivots(Front<T>& front) {
  const Structure& structure = here_.structure;
  Elimination done;
  if (structure.kind == FactorKind::cholesky) {
    done.eliminated = kernels::cholesky_panel<T>(front.panel());
    if (done.eliminated < front.summed) refuse_pivot(structure, front, done.eliminated);
  } else {
    const auto taken = kernels::ldlt_in_order<T>(front.panel(), structure.hermitian, test_.threshold,
                                                 {front.d, static_cast<std::size_t>(front.summed)},
                                                 test_.least, signs_of(structure, test_, front, 0));
    done = {taken.eliminated, 0, taken.negative};
    done.add(taken.mended);
    if (done.eliminated < front.summed) find_remaining_pivots(front, done);
    has_pairs_ = done.two_by_two > 0;
  }
  return eliminator_.count_elimination(front, done);
}

/// From the first variable that failed on, a search finds 1x1 and 2x2 pivots.
template <class T>
void SmallFronts<T>::find_remaining_pivots(Front<T>& front, Elimination& done) {
  const Index e = done.eliminated, rest = front.summed - e;
  const auto size = static_cast<std::size_t>(rest);
  const MatrixView<T> P = front.panel();
  identity(space_.row_order, rest);
  const auto more =
      kernels::ldlt_panel<T>(P.block(e, e, P.rows - e, rest), here_.structure.hermitian, test_.threshold,
                             space_.row_order, {front.d + e, size}, {front.d_off + e, size}, test_.least);
  space_.columns.resize(std::max(space_.columns.size(), static_cast<std::size_t>(P.rows)));
  kernels::permute_rows<T>(P.block(e, 0, rest, e), space_.row_order, space_.columns);
  apply_order(space_.row_order, front.row_name + e, space_.names);
  done.eliminated += more.eliminated;
  done.two_by_two += more.two_by_two;
  done.negative += more.negative;
}

/// L21 D
template <class T>
MatrixView<const T> SmallFronts<T>::multiply_by_d(const Front<T>& front, MatrixView<const T> L21) {
  const auto size = static_cast<std::size_t>(front.eliminated);
  const MatrixView<T> W{w_.data(), L21.rows, L21.cols, L21.rows};
  const std::span<const T> d(front.d, size), d_off(front.d_off, size);
  if (has_pairs_) {
    kernels::scale_by_d<T>(L21, here_.structure.hermitian, d, d_off, W);
    return W;
  }
  for (Index k = 0; k < W.cols; ++k) {
    const T* __restrict const from = L21.column(k);
    T* __restrict const to = W.column(k);
    for (Index i = 0; i < W.rows; ++i) to[i] = from[i] * d[k];
  }
  return W;
}

/// C -= L21 D L21^T; all of the square, half of which nobody reads.
template <class T>
void SmallFronts<T>::update(const Front<T>& front) {
  const Index m = front.border, e = front.eliminated;
  const MatrixView<T> C = block(front);
  const MatrixView<const T> L21 = front.panel().block(front.summed, 0, m, e);
  MatrixView<const T> W = L21;
  if (here_.structure.kind == FactorKind::ldlt) W = multiply_by_d(front, L21);
  kernels::small::kernels<T>().gemm(m, m, e, L21.data, L21.ld, W.data, W.ld, 1,
                                    here_.structure.is_conjugated(), true, C.data, C.ld);
}

/// Puts C on the stack if the parent is in the same task, else into a block of the pool.
template <class T>
void SmallFronts<T>::store_contribution(Front<T>& front) {
  const MatrixView<T> C = block(front);
  const Index entries = C.ld * C.cols, f = front.number;
  front.block_width = front.border;
  if (here_.structure.task_of[here_.structure.tree.parent[f]] != here_.structure.task_of[f]) {
    front.block = HeldBlock(here_.state.ledger, static_cast<std::size_t>(entries) * sizeof(T));
    if (!is_phantom_) std::copy_n(C.data, entries, front.block.template as<T>());
    return;
  }
  front.on_stack = space_.stack_top;
  set_top(front.on_stack + entries);
  if (is_phantom_) return;
  const auto needed = static_cast<std::size_t>(space_.stack_top);
  if (space_.stack.size() < needed) space_.stack.resize(2 * needed);
  std::copy_n(C.data, entries, space_.stack.data() + front.on_stack);
}

template <class T>
void SmallFronts<T>::pop_children(Index f) {
  Index top = space_.stack_top;
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c]) {
    const Index at = here_.state.is_mine(c) ? here_.state.front(c).on_stack : -1;
    if (at >= 0) top = std::min(top, at);
  }
  if (top < space_.stack_top) set_top(top);
}

template <class T>
void SmallFronts<T>::set_top(Index top) {
  space_.stack_top = top;
  held_.set(here_.state.ledger, static_cast<std::size_t>(top) * sizeof(T));
}

OVERLAPACK_INSTANTIATE_CLASS(SmallFronts);

}  // namespace overlapack::sparse::multifrontal
