#include "sparse/multifrontal/factorize/whole_fronts.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "kernels/product/common_width.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"
#include "sparse/multifrontal/tiles/front_tasks.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

template <class T>
WholeFronts<T>::WholeFronts(const FrontContext<T>& here, const PivotTest<T>& test, double largest,
                            std::function<void(double)> count_work_done)
    : here_(here),
      eliminator_(here.structure, here.plan, test, here.state.space),
      small_(here, test, eliminator_),
      low_rank_(here.structure, here.plan, test, largest, here.state.space, here.state.ledger),
      worked_(std::move(count_work_done)),
      test_(test),
      is_phantom_(here.rank.capabilities().is_phantom),
      least_tiled_border_(least_tiled_border(here.plan.fronts.low_rank, here.structure.tree)),
      cuts_fronts_(here.rank.size() > 1 || here.rank.capabilities().slice_helpers) {}

template <class T>
void WholeFronts<T>::add_waits_of_front(Index f) {
  if (!here_.state.is_mine(f)) return;
  if (here_.structure.is_sent_to_parent_in_pieces(f)) here_.walk.add_hold();  // until it has set out
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c]) {
    if (!here_.structure.is_shared(c)) continue;
    here_.walk.add_dependency(here_.structure.task_of[f]);
    rows_left_[c] = here_.structure.tree.border(c);
  }
}

template <class T>
template <class F>
void WholeFronts<T>::compute_as_event(const comm::Work& work, F&& f) {
  if (inside_subtree_) {
    if (!is_phantom_) f();
    return;
  }
  here_.rank.compute(work, std::forward<F>(f));
  here_.rank.poll();
}

template <class T>
bool WholeFronts<T>::start(Index task) {
  const Index first = here_.structure.task_front[task], end = here_.structure.task_front[task + 1];
  const double done_before = here_.tally.done_flops();
  if (end - first == 1) {
    eliminate_front(first);
  } else {
    double flops = 0;
    kernels::CommonWidth pivots;
    for (Index f = first; f < end; ++f) {
      flops += here_.structure.flops[f];
      pivots.add(here_.structure.flops[f], here_.structure.tree.pivots(f));
    }
    comm::compute_with_lists(here_.rank, {"subtree", flops, 0, 0, 0, pivots.width()}, [&] {
      inside_subtree_ = true;
      for (Index f = first; f < end; ++f) eliminate_front(f);
      inside_subtree_ = false;
    });
  }
  for (Index f = first; f < end; ++f) {
    const Index parent = here_.structure.tree.parent[f];
    if (parent >= 0 && here_.structure.task_of[parent] != task && !here_.state.is_mine(parent))
      send_contribution(here_.state.front(f));
    if (here_.state.front(f).delayed() == 0) here_.state.finish(here_.state.front(f));
  }
  here_.state.write_finished(here_.rank);
  worked_(here_.tally.done_flops() - done_before);
  return true;
}

template <class T>
Front<T>& WholeFronts<T>::assemble(Index f) {
  Front<T>& front = here_.assembly.begin(f);
  compute_as_event({"assemble", 0, 0, here_.structure.tree.order(f), here_.structure.tree.pivots(f)},
                   [&] { here_.assembly.add_summed(front); });
  return front;
}

/// docs/multifrontal.md, "One front". Symmetric: U11 = D L11^T, U12 = D L21^T, and L21 is the lower part of the panel.
template <class T>
void WholeFronts<T>::eliminate_front(Index f) {
  if (inside_subtree_ && small_.eliminate_if_small(f)) return;
  if (may_use_tiles(f)) return eliminate_by_tiles(f);
  Front<T>& front = assemble(f);  // panel, L21 <- entries of B + what of the children is fully summed here
  eliminate(front);               // [U11^T; U12^T] L11^T = panel,   L21 <- L21 U11^{-1}
  if (front.border > 0) {
    hold_block(front);
    update(front);        // C <- -L21 U12
    add_children(front);  // C <- C + the children's remaining parts
  }
  here_.assembly.release_children(f);
  small_.pop_children(f);
  compress_block(front);  // C <- X V, tile by tile
}

template <class T>
bool WholeFronts<T>::may_use_tiles(Index f) const {
  return !inside_subtree_ && here_.structure.flops[f] > here_.plan.slice_flops &&
         !here_.rank.capabilities().virtual_time && !is_low_rank(here_.state.low_rank, here_.structure, f);
}

/// The same as tasks on tiles. Variables for which the tiles find no pivot are tried again afterwards, by a
/// search of whole columns.
template <class T>
void WholeFronts<T>::eliminate_by_tiles(Index f) {
  Front<T>& front = here_.assembly.begin(f, false);
  if (front.border > 0) hold_block(front);
  FrontSpace<T>& space = here_.state.space;
  const TilePlan& plan = here_.plan.fronts.tiles;
  const bool is_symmetric = here_.structure.is_symmetric();
  identity(space.row_order, front.summed);
  identity(space.col_order, front.summed);
  // a column of the panel is a row of an unsymmetric A
  const FrontCuts cuts = front_cuts(front.summed, front.border, plan);
  TileSteps<T> steps(here_.structure, test_, front, cuts, is_symmetric ? space.row_order : space.col_order,
                     space.row_order, space.backup);
  here_.assembly.sort_entries(front, std::span(cuts.start).first(static_cast<std::size_t>(cuts.summed) + 1));
  FrontTasks<T> tasks(
      steps, cuts,
      front.border > 0 ? contribution_cuts(front.border, front.block_width, is_symmetric,
                                           is_symmetric ? front.summed : 0, plan)
                       : std::vector<ContributionCut>{},
      [&](Index j) { here_.assembly.add_columns(front, j, cuts.start[j], cuts.start[j + 1]); },
      [&](Index first, Index last) { here_.assembly.add_border(front, first, last); }, plan.shuffle);
  const double flops = here_.structure.flops[f];
  {
    const auto token = here_.rank.on_progress([&] { here_.tally.report(tasks.share_done() * flops); });
    here_.rank.run_tasks({"front", flops, 0, front.order(), front.summed}, tasks);
  }
  const Index e = steps.compact();
  Elimination found{e, steps.two_by_two(e), steps.negative(e)};
  found.add(steps.mended());
  const Elimination done = eliminator_.eliminate_rest(here_.rank, front, found);
  FrontFigures& figures = here_.state.stats;
  ++figures.tiled_fronts;
  figures.front_tasks += tasks.tasks();
  figures.failed_columns += tasks.failed();
  figures.restored_tiles += tasks.restored();
  figures.cut_pairs += steps.cut_pairs();
  figures.searched_pivots += done.eliminated - e;
  here_.tally.count_front(front, done, flops);
  here_.assembly.release_children(f);
  small_.pop_children(f);
}

/// Eliminates the fully summed part, and completes L21.
template <class T>
void WholeFronts<T>::eliminate(Front<T>& front) {
  const Index f = front.number;
  const double flops = here_.structure.flops[f];
  Elimination done;
  if (is_phantom_) done = eliminator_.accept_all_pivots(front);
  if (front.low_rank)
    done = compress(front);
  else if (cuts_fronts_ && eliminator_.is_elimination_long(front))
    done = eliminator_.eliminate_in_slices(here_.rank, front,
                                           [&](double begun) { here_.tally.report(std::min(begun, flops)); });
  else
    compute_as_event({"panel", flops - update_flops(here_.structure, f), 0, here_.structure.tree.order(f),
                      here_.structure.tree.pivots(f)},
                     [&] { done = eliminator_.eliminate(front); });
  here_.tally.count_front(front, done, flops);
  if (front.low_rank) front.end_use_of_dense();
}

/// The same in blocks, some of them of low rank.
template <class T>
Elimination WholeFronts<T>::compress(Front<T>& front) {
  Elimination done;
  const Index f = front.number;
  if (cuts_fronts_ && !inside_subtree_)
    done = low_rank_.eliminate(&here_.rank, front);
  else
    compute_as_event({"panel", here_.structure.flops[f] - update_flops(here_.structure, f), 0, front.order(),
                      front.summed},
                     [&] { done = low_rank_.eliminate(nullptr, front); });
  return eliminator_.count_elimination(front, done);
}

/// Allocates C. A symmetric C is a lower part in panels, or a whole square if it travels in pieces.
template <class T>
void WholeFronts<T>::hold_block(Front<T>& front) {
  const bool is_whole =
      !here_.structure.is_symmetric() || here_.structure.is_sent_to_parent_in_pieces(front.number);
  front.block_width = is_whole ? front.border : staircase_width(front.border);
  const Index entries = staircase_entries(front.border, front.block_width);
  front.block = HeldBlock(here_.state.ledger, static_cast<std::size_t>(entries) * sizeof(T));
}

template <class T>
void WholeFronts<T>::update(Front<T>& front) {
  if (front.low_rank && cuts_fronts_ && !inside_subtree_) return low_rank_.update(&here_.rank, front);
  if (!front.low_rank && cuts_fronts_ && eliminator_.is_update_long(front))
    return eliminator_.update_in_slices(here_.rank, front);
  compute_as_event({"update", update_flops(here_.structure, front.number), 0, front.border, front.border,
                    front.eliminated},
                   [&] { front.low_rank ? low_rank_.update(nullptr, front) : eliminator_.update(front); });
}

/// C += the parts of the children that meet no fully summed row or column.
template <class T>
void WholeFronts<T>::add_children(Front<T>& front) {
  const double bytes = 3 * contribution_entries(here_.structure, front.number) * sizeof(T);
  compute_as_event({"extend_add", 0, bytes, front.border, front.border},
                   [&] { here_.assembly.add_border(front); });
}

/// Compresses C of a low-rank front with a large border, unless its rows travel in pieces.
template <class T>
void WholeFronts<T>::compress_block(Front<T>& front) {
  if (!front.low_rank || front.border < least_tiled_border_ ||
      here_.structure.is_sent_to_parent_in_pieces(front.number))
    return;
  if (cuts_fronts_ && !inside_subtree_) return low_rank_.compress_block(&here_.rank, front);
  compute_as_event({"compress", 0, 0, front.border, front.border},
                   [&] { low_rank_.compress_block(nullptr, front); });
}

/// Sends what was delayed, and C, to the owner of the parent. If the parent takes C in pieces, these set out
/// later, when this rank knows where to (send_contribution_when_final).
template <class T>
void WholeFronts<T>::send_contribution(Front<T>& front) {
  const Index parent = here_.structure.tree.parent[front.number];
  const bool in_pieces = here_.structure.is_sent_to_parent_in_pieces(front.number);
  const bool is_last =
      front.number + 1 == here_.structure.task_front[here_.structure.task_of[front.number] + 1];
  if (front.delayed() > 0 || in_pieces) send_delayed(here_, front, in_pieces, in_pieces && is_last);
  if (in_pieces) return;
  const bool is_shared = here_.rank.capabilities().shared_memory;
  auto [header, body] = pack_block(here_.rank, front, here_.structure.is_symmetric() && !is_shared);
  if (is_shared) here_.state.ledger.add_passed_bytes(body.size());
  ++here_.state.stats.sent_contributions;
  here_.walk.send(here_.structure.task_of[parent], header, std::move(body), is_last);
  if (!here_.plan.fronts.steals) here_.state.finish(front);  // else this rank may still steal the parent
}

template <class T>
void WholeFronts<T>::send_contribution_when_final(Index f) {
  if (!here_.state.is_mine(f)) return;
  here_.walk.add_job([this, f] {
    Front<T>& front = here_.state.front(f);
    const Contribution<T> all = contribution_of(front);
    here_.kind_of_parent(f).send_rows({f, 0, 0, all.block.whole(), all.cols});
    front.block.give_back();
    here_.walk.release_hold();
  });
}

// ---- Of children in strips

template <class T>
void WholeFronts<T>::send_rows(const Piece<T>& rows) {
  send_piece(here_, here_.structure.owner[here_.structure.tree.parent[rows.front]], rows, false);
}

template <class T>
void WholeFronts<T>::on_message(comm::Message message) {
  const Piece<T> piece = Piece<T>::parse(message);
  const Index child = piece.front;
  RemoteContribution<T>& contribution = here_.state.remote[child];
  contribution.store_piece(here_.rank, piece, here_.structure.tree.border(child));
  contribution.count_in_ledger(here_.state.ledger);
  here_.state.ledger.update_peak();
  rows_left_.at(child) -= piece.block.rows;
  if (rows_left_.at(child) == 0)
    here_.walk.fulfil_dependency(here_.structure.task_of[here_.structure.tree.parent[child]]);
}

OVERLAPACK_INSTANTIATE_CLASS(WholeFronts);

}  // namespace overlapack::sparse::multifrontal
