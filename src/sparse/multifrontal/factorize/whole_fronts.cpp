#include "sparse/multifrontal/factorize/whole_fronts.hpp"

#include "comm/values.hpp"
#include "kernels/operand.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"

#include <complex>

namespace overlapack::sparse {

template <class T>
WholeFronts<T>::WholeFronts(dist::TreeWalk& walk, FactorState<T>& state, const FactorPlan& plan,
                            const PivotTest<T>& test, FrontAssembly<T>& assembly, Tally<T>& tally,
                            std::function<void(double)> worked)
    : rank_(walk.rank()),
      walk_(walk),
      state_(state),
      structure_(state.structure),
      eliminator_(state.structure, plan, test, state.space),
      assembly_(assembly),
      tally_(tally),
      worked_(std::move(worked)),
      cuts_fronts_(rank_.size() > 1 || rank_.capabilities().slice_helpers) {}

template <class T>
template <class F>
void WholeFronts<T>::stage(const comm::Work& work, F&& f) {
  if (inside_subtree_) return comm::on_values(rank_, std::forward<F>(f));
  rank_.compute(work, std::forward<F>(f));
  rank_.poll();
}

template <class T>
bool WholeFronts<T>::start(Index task) {
  const Index first = structure_.task_front[task], end = structure_.task_front[task + 1];
  const double done_before = tally_.done_flops();
  if (end - first == 1) {
    eliminate_front(first);
  } else {
    double flops = 0;
    for (Index f = first; f < end; ++f) flops += front_flops(structure_, f);
    comm::compute_with_lists(rank_, {"subtree", flops}, [&] {
      inside_subtree_ = true;
      for (Index f = first; f < end; ++f) eliminate_front(f);
      inside_subtree_ = false;
    });
  }
  for (Index f = first; f < end; ++f) {
    const Index parent = structure_.tree.parent[f];
    if (parent >= 0 && structure_.task_of[parent] != task && !state_.is_mine(parent)) leave(state_.front(f));
  }
  worked_(tally_.done_flops() - done_before);
  return true;
}

template <class T>
Front<T>& WholeFronts<T>::assemble(Index f) {
  Front<T>& front = assembly_.begin(f, {});
  stage({"assemble", 0, 0, structure_.tree.order(f), structure_.tree.pivots(f)},
        [&] { assembly_.add_summed(front); });
  return front;
}

/// docs/multifrontal.md, "One front". Symmetric: U11 = D L11^T, U12 = D L21^T, and L21 is the lower part of the panel.
template <class T>
void WholeFronts<T>::eliminate_front(Index f) {
  Front<T>& front = assemble(f);  // panel, L21 <- entries of B + what of the children is fully summed here
  eliminate(front);               // [U11^T; U12^T] L11^T = panel,   L21 <- L21 U11^{-1}
  if (front.border > 0) {
    hold_block(front);
    update(front);        // C <- -L21 U12
    add_children(front);  // C <- C + the children's remaining parts
  }
  assembly_.release_children(f);
}

/// The fully summed part and L21.
template <class T>
void WholeFronts<T>::eliminate(Front<T>& front) {
  const Index f = front.number;
  const double flops = front_flops(structure_, f);
  Elimination done = eliminator_.every_pivot(front);  // without numbers
  if (cuts_fronts_ && eliminator_.is_elimination_long(front))
    done = eliminator_.eliminate_in_slices(rank_, front);
  else
    stage({"panel", flops - update_flops(structure_, f), 0, structure_.tree.order(f),
           structure_.tree.pivots(f)},
          [&] { done = eliminator_.eliminate(front); });
  tally_.eliminated(front, done, flops);
}

/// Room for C: of a symmetric matrix its lower part in panels, but whole where it travels in pieces.
template <class T>
void WholeFronts<T>::hold_block(Front<T>& front) {
  const bool is_whole =
      !structure_.is_symmetric() || structure_.takes_pieces(structure_.tree.parent[front.number]);
  front.block_width = is_whole ? front.border : staircase_width(front.border);
  const Index entries = staircase_entries(front.border, front.block_width);
  front.block = HeldBlock(state_.ledger, static_cast<std::size_t>(entries) * sizeof(T));
}

template <class T>
void WholeFronts<T>::update(Front<T>& front) {
  if (cuts_fronts_ && eliminator_.is_update_long(front)) return eliminator_.update_in_slices(rank_, front);
  stage({"update", update_flops(structure_, front.number), 0, front.border, front.border, front.eliminated},
        [&] { eliminator_.update(front); });
}

/// What of the children meets no fully summed row or column.
template <class T>
void WholeFronts<T>::add_children(Front<T>& front) {
  const double bytes = 3 * contribution_entries(structure_, front.number) * sizeof(T);
  stage({"extend_add", 0, bytes, front.border, front.border}, [&] { assembly_.add_border(front); });
}

/// To the owner of the parent: what was delayed and C. Where the parent takes pieces they set out when it is known where to.
template <class T>
void WholeFronts<T>::leave(Front<T>& front) {
  const Index parent = structure_.tree.parent[front.number];
  const bool in_pieces = structure_.takes_pieces(parent);
  const bool is_last = front.number + 1 == structure_.task_front[structure_.task_of[front.number] + 1];
  if (front.delayed() > 0 || in_pieces)
    send_delayed(walk_, structure_, front, in_pieces, in_pieces && is_last);
  if (in_pieces) return;
  const bool pack_lower = structure_.is_symmetric() && !rank_.capabilities().shared_memory;
  auto [header, body] = pack_block(rank_, front, pack_lower);
  ++state_.counts().sent_contributions;
  walk_.send(structure_.task_of[parent], header, std::move(body), is_last);
}

#define OVERLAPACK_INSTANTIATE(T) template class WholeFronts<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
