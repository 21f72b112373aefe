#include "sparse/multifrontal/factorize/front_masters.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/update/extend_add.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"
#include "sparse/multifrontal/factorize/send_panel.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
FrontMasters<T>::FrontMasters(const StripContext<T>& here, const PivotTest<T>& test)
    : here_(here), test_(test), choices_(here) {}

template <class T>
void FrontMasters<T>::start(Front<T>& front, Done done) {
  const Index f = front.number;
  Master& master = masters_[f];
  master.front = &front;
  master.done = std::move(done);
  master.strips = choices_.choose(f);
  if (!here_.structure.is_symmetric()) here_.state.strips_of[f] = master.strips;
  ++here_.state.stats.distributed_fronts;
  here_.state.stats.strips += master.strips.count();
  send_descriptions(master);
  fetch_children(master);
}

/// Describes the front to each of its strips, and to the masters that choose strips later: they know of the
/// new loads before the ranks of the strips could announce them.
template <class T>
void FrontMasters<T>::send_descriptions(const Master& master) {
  const Index f = master.front->number;
  const Strips& strips = master.strips;
  StripDescription<T> description;
  description.strips = strips;
  for (Index i = 0; i < strips.count(); ++i)
    description.flops.push_back(strip_flops(here_.structure.kind, here_.structure.tree, f, strips, i));
  add_strip_loads(here_, f, strips, description.flops);
  std::vector<StripEntries<T>> entries = entries_by_strip(master);
  for (std::size_t i = 0; i < strips.rank.size(); ++i) {
    StripDescription<T> theirs = description;
    theirs.part = static_cast<Index>(i);
    theirs.summed = master.front->summed;
    theirs.delayed = delayed_of_children(f);
    if (here_.waits_for_late_messages()) theirs.senders = senders_to(f, strips.start[i], strips.start[i + 1]);
    theirs.entries = std::move(entries[i]);
    auto [header, body] = theirs.pack(f);
    here_.walk.post(strips.rank[i], header, std::move(body));
  }
  const auto [header, body] = description.pack(f);
  for (const int to : choices_.ranks_choosing_after(f))
    if (std::ranges::find(strips.rank, to) == strips.rank.end()) here_.walk.post(to, header, body);
}

/// LU: the original entries of L21, by strips.
template <class T>
std::vector<StripEntries<T>> FrontMasters<T>::entries_by_strip(const Master& master) const {
  const Strips& strips = master.strips;
  std::vector<StripEntries<T>> by_strip(strips.rank.size());
  if (here_.structure.is_symmetric()) return by_strip;
  const AssemblyTree& tree = here_.structure.tree;
  const Index f = master.front->number, end = tree.first_pivot[f + 1];
  const EntryList<T> entries = here_.entries.of_slot(here_.state.fronts.position(f));
  const std::int32_t* border = tree.rows(f);
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    if (entries.row[k] < end) continue;
    const Index position = std::lower_bound(border, border + master.front->border, entries.row[k]) - border;
    StripEntries<T>& strip = by_strip[static_cast<std::size_t>(
        std::ranges::upper_bound(strips.start, position) - strips.start.begin() - 1)];
    strip.row.push_back(static_cast<std::int32_t>(position));
    strip.pivot.push_back(static_cast<std::int32_t>(entries.col[k] - tree.first_pivot[f]));
    strip.value.push_back(entries.value[k]);
  }
  return by_strip;
}

/// The ranks that hold the border rows of a child.
template <class T>
Strips FrontMasters<T>::holders_of(Index child) const {
  const Structure& structure = here_.structure;
  if (!structure.is_shared(child)) return {{0, structure.tree.border(child)}, {structure.owner[child]}};
  return child_strips_.at(child);
}

/// Who sends rows of children to the strip [first, end) of front f, once for each message.
template <class T>
std::vector<int> FrontMasters<T>::senders_to(Index f, Index first, Index end) const {
  std::vector<int> senders;
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c]) {
    const PositionsInParent positions = positions_in_parent(here_.structure.tree, c);
    const Index r0 = positions.rows_before(first), r1 = positions.rows_before(end);
    const Strips holders = holders_of(c);
    for (std::size_t h = 0; h < holders.rank.size(); ++h)
      if (std::max(r0, holders.start[h]) < std::min(r1, holders.start[h + 1]))
        senders.push_back(holders.rank[h]);
  }
  return senders;
}

template <class T>
Index FrontMasters<T>::child_delayed(Index child) const {
  if (here_.state.is_mine(child)) return here_.state.front(child).delayed();
  return static_cast<Index>(here_.state.remote.at(child).row_name().size());
}

template <class T>
std::vector<Index> FrontMasters<T>::delayed_of_children(Index f) const {
  std::vector<Index> delayed;
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c])
    delayed.push_back(child_delayed(c));
  return delayed;
}

/// Asks for the children's rows: tells each holder of a child's rows which ranks have them in this front, and
/// counts what this master will get. The list of holders is dropped, since nobody needs it any more.
template <class T>
void FrontMasters<T>::fetch_children(Master& master) {
  const Structure& structure = here_.structure;
  const Index f = master.front->number;
  for (Index c = structure.first_child[f]; c >= 0; c = structure.next_sibling[c]) {
    const Index summed = positions_in_parent(structure.tree, c).summed;
    master.rows_left += structure.is_symmetric() && summed > 0 ? structure.tree.border(c) : summed;
    if (here_.waits_for_late_messages()) master.senders_left += holders_of(c).count();
  }
  if (master.has_all()) here_.walk.add_job([this, &master] { begin_elimination(master); });
  for (Index c = structure.first_child[f]; c >= 0; c = structure.next_sibling[c]) {
    const auto [header, body] = pack_strips(MessageKind::parent_strips, c, master.strips);
    for (const int holder : holders_of(c).rank) here_.walk.post(holder, header, body);
    child_strips_.erase(c);
  }
}

template <class T>
void FrontMasters<T>::handle_piece(comm::Message message) {
  const Piece<T> piece = Piece<T>::parse(message);
  Master& master = masters_.at(here_.structure.tree.parent[piece.front]);
  master.rows_left -= piece.block.rows;
  if (here_.waits_for_late_messages()) --master.senders_left;
  master.pieces.push_back(hold(std::move(message), here_.state.ledger));
  if (master.has_all()) here_.walk.add_job([this, &master] { begin_elimination(master); });
}

template <class T>
void FrontMasters<T>::begin_elimination(Master& master) {
  Front<T>& front = *master.front;
  assemble(master);
  if (front.low_rank) {
    master.in_blocks = std::make_unique<LowRankFront<T>>(here_.structure, here_.plan, test_, here_.largest,
                                                         here_.state.space, here_.state.ledger);
    master.in_blocks->begin(&here_.rank, front, master.strips.start);
    return here_.walk.add_urgent_job([this, &master] { eliminate_next_panel_in_blocks(master); });
  }
  master.steps = std::make_unique<FrontSteps<T>>(here_.rank, here_.structure, test_, front, master.row_order,
                                                 master.col_order);
  here_.walk.add_urgent_job([this, &master] { eliminate_next_panel(master); });
}

/// Adds the children's pieces to the fully summed rows (LU) or columns (symmetric).
template <class T>
void FrontMasters<T>::assemble(Master& master) {
  const Front<T>& front = *master.front;
  const Structure& structure = here_.structure;
  const std::vector<Index> delayed = delayed_of_children(front.number);
  const Index all_delayed = front.summed - structure.tree.pivots(front.number);
  here_.rank.compute({"assemble", 0, bytes_while_adding(master.pieces), front.order(), front.summed}, [&] {
    for (const Piece<T>& piece : sort_pieces<T>(master.pieces)) {
      const PositionsInParent positions = positions_in_parent(structure.tree, piece.front);
      std::vector<std::int32_t> map(positions.position);
      for (std::size_t i = 0; i < map.size(); ++i)
        map[i] +=
            static_cast<std::int32_t>(static_cast<Index>(i) < positions.summed ? all_delayed : front.summed);
      if (structure.is_symmetric()) {
        add_piece(piece, true, map.data(), map.data(), front.panel());
        continue;
      }
      const MatrixView<T> panel = front.panel();
      kernels::extend_add_transposed<T>(piece.block, map.data() + piece.first_row, map.data(), panel);
      const auto late = delayed_positions(structure, delayed, piece.front, piece.delayed.cols);
      kernels::extend_add_transposed<T>(piece.delayed, map.data() + piece.first_row, late.data(), panel);
    }
  });
  master.pieces.clear();
}

template <class T>
void FrontMasters<T>::eliminate_next_panel(Master& master) {
  here_.tally.report();
  const Front<T>& front = *master.front;
  const Strips& strips = master.strips;
  FrontSteps<T>& steps = *master.steps;
  const Index width = panel_width(here_.plan.fronts.strips, strips.count());
  const Index k = steps.panel().eliminated(),
              gained = steps.next(here_.rank, std::min(width, steps.width(here_.plan.slice_flops)));
  const bool is_last = gained == 0 || k + gained == front.summed;
  PanelMessage<T> panel = panel_of(here_.structure, front, steps.panel(), k, gained);
  panel.is_last = is_last;
  if (here_.structure.is_symmetric()) panel.cuts = strips.start;
  send_panel(here_, panel, strips);
  if (is_last) return finish_front(master);
  steps.update(here_.rank, here_.plan.slice_flops);
  here_.walk.add_urgent_job([this, &master] { eliminate_next_panel(master); });
}

/// The same for a compressed front, whose panels are in blocks.
template <class T>
void FrontMasters<T>::eliminate_next_panel_in_blocks(Master& master) {
  here_.tally.report();
  LowRankFront<T>& in_blocks = *master.in_blocks;
  const LowRankPanel<T>& blocks = in_blocks.next_panel();
  PanelMessage<T> panel = panel_of(here_.structure, *master.front, blocks);
  panel.is_last = !in_blocks.has_panels_left();
  if (here_.structure.is_symmetric()) panel.cuts = master.strips.start;
  for (const LowRankBlock<T>& block : panel.below)
    low_rank_.panel_saved_bytes += kernels::saved_bytes(block.of);
  send_panel(here_, panel, master.strips);
  in_blocks.update_summed();
  if (panel.is_last) return finish_front_in_blocks(master);
  here_.walk.add_urgent_job([this, &master] { eliminate_next_panel_in_blocks(master); });
}

template <class T>
void FrontMasters<T>::finish_front(Master& master) {
  Front<T>& front = *master.front;
  front.eliminated = master.steps->panel().eliminated();
  std::vector<std::int32_t> work;
  apply_order(master.row_order, front.row_name, work);
  if (!here_.structure.is_symmetric()) apply_order(master.col_order, front.col_name, work);
  const kernels::PanelSteps<T>& steps = master.steps->panel();
  Elimination done{steps.eliminated(), steps.two_by_two(), steps.negative(),
                   panel_flops<T>(here_.structure.kind, front.order(), steps.eliminated())};
  done.add(steps.mended());
  master.done(done);
  masters_.erase(front.number);
}

template <class T>
void FrontMasters<T>::finish_front_in_blocks(Master& master) {
  const Front<T>& front = *master.front;
  Elimination done = master.in_blocks->end();
  done.flops = panel_flops<T>(here_.structure.kind, front.order(), done.eliminated);
  low_rank_.add(master.in_blocks->tally());
  master.done(done);
  masters_.erase(front.number);
}

template <class T>
void FrontMasters<T>::announce_to_parent(const Front<T>& front) {
  const Index parent = here_.structure.tree.parent[front.number];
  if (!here_.structure.in_strips[parent]) return;
  Strips& strips = masters_.at(front.number).strips;
  if (here_.state.is_mine(parent)) {
    child_strips_[front.number] = std::move(strips);
    return;
  }
  auto [header, body] = pack_strips(MessageKind::strip_list, front.number, strips);
  here_.walk.send(here_.structure.task_of[parent], header, std::move(body), false);
}

template <class T>
void FrontMasters<T>::handle_announcement(const comm::Message& message) {
  child_strips_[front_of(message)] = parse_strips(message);
}

OVERLAPACK_INSTANTIATE_CLASS(FrontMasters);

}  // namespace overlapack::sparse::multifrontal
