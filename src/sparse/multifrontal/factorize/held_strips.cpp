#include "sparse/multifrontal/factorize/held_strips.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"
#include "sparse/multifrontal/factorize/send_panel.hpp"
#include "sparse/multifrontal/factorize/strip_choices.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// A part of a child's rows has come from this rank: removes it once from the list.
void remove_sender(std::vector<int>& senders, int rank) {
  if (const auto sender = std::ranges::find(senders, rank); sender != senders.end()) senders.erase(sender);
}

}  // namespace

// ---- Messages, each after those that it needs

template <class T>
void HeldStrips<T>::handle_description(comm::Message message) {
  const Index f = front_of(message);
  auto description = StripDescription<T>::parse(message);
  if (message.source != here_.rank.rank()) add_strip_loads(here_, f, description.strips, description.flops);
  if (description.part < 0) return;
  here_.walk.add_hold();  // until the strip's rows of C have set out
  const auto part = static_cast<std::size_t>(description.part);
  HeldStrip& held = held_[f];
  Strip<T>& strip = held.strip;
  strip.front = f;
  strip.first = description.strips.start[part];
  strip.end = description.strips.start[part + 1];
  strip.summed = description.summed;
  strip.width = here_.structure.is_symmetric() ? strip.end : here_.structure.tree.border(f);
  held.work.emplace(here_.structure, here_.plan, strip, std::move(description.delayed));
  if (is_low_rank(here_.plan.fronts.low_rank, here_.structure, f))
    held.in_blocks.emplace(here_.structure, here_.plan, here_.largest, description.strips, strip,
                           here_.state.ledger);
  held.entries = std::move(description.entries);
  held.senders = std::move(description.senders);
  for (const HeldMessage& piece : held.pieces) remove_sender(held.senders, piece.message.source);
  held.predicted_flops = description.flops[part];
  held.promised_bytes = strip_bytes<T>(here_.structure, f, description.strips, description.part);
  held.rows_left += rows_for(strip);
  add_next_job(f);
}

/// Number of children's rows that the strip gets.
template <class T>
Index HeldStrips<T>::rows_for(const Strip<T>& strip) const {
  Index rows = 0;
  for (Index c = here_.structure.first_child[strip.front]; c >= 0; c = here_.structure.next_sibling[c]) {
    const PositionsInParent positions = positions_in_parent(here_.structure.tree, c);
    rows += positions.rows_before(strip.end) - positions.rows_before(strip.first);
  }
  return rows;
}

template <class T>
void HeldStrips<T>::handle_piece(comm::Message message) {
  const Piece<T> piece = Piece<T>::parse(message);
  const Index f = here_.structure.tree.parent[piece.front];
  HeldStrip& held = held_[f];
  held.rows_left -= piece.block.rows;
  remove_sender(held.senders, message.source);
  // stored before the wait: a panel that needs this piece may be handled during the wait
  held.pieces.push_back(hold(std::move(message), here_.state.ledger));
  here_.park_or_receive_late(here_.structure.owner[f], [&] { return held.work.has_value(); });
  add_next_job(f);
}

template <class T>
void HeldStrips<T>::handle_panel(comm::Message message) {
  const Index f = front_of(message);
  HeldStrip& held = held_[f];
  const int master = message.source;
  const auto panel = PanelMessage<T>::parse(message, here_.structure.kind);
  forward_panel(message, panel);
  held.has_last_panel = held.has_last_panel || panel.is_last;
  // stored before the waits: a later panel may be handled during them, and follows this one in the queue
  held.panels.push_back(hold(std::move(message), here_.state.ledger));
  while (!held.senders.empty()) {
    const std::size_t left = held.senders.size();
    here_.park_or_receive_late(held.senders.front(), [&] { return held.senders.size() < left; });
  }
  here_.park_or_receive_late(master, [&] { return held.work && held.rows_left == 0; });
  add_next_job(f);
}

template <class T>
void HeldStrips<T>::wait_for_last_panel(Index f) {
  if (const auto held = held_.find(f); held != held_.end())
    here_.park_or_receive_late(here_.structure.owner[f], [&] { return held->second.has_last_panel; });
}

template <class T>
void HeldStrips<T>::forward_panel(const comm::Message& message, const PanelMessage<T>& panel) {
  const auto position =
      static_cast<std::size_t>(std::ranges::find(panel.tree, here_.rank.rank()) - panel.tree.begin());
  if (message.source == here_.rank.rank() || 2 * position + 1 >= panel.tree.size()) return;
  ++here_.state.stats.forwarded;
  here_.walk.add_urgent_job([this, position, message] {
    multicast(here_, PanelMessage<T>::parse(message, here_.structure.kind), message, position);
  });
}

// ---- Jobs

/// Are the strip's rows of C final, and is it known where they go?
template <class T>
bool HeldStrips<T>::can_send_contribution(const HeldStrip& held, Index f) const {
  return held.is_border_added && here_.kind_of_parent(f).has_positions_for(f);
}

/// Queues a job if there is something to do for the strip and it has no job yet.
template <class T>
void HeldStrips<T>::add_next_job(Index f) {
  HeldStrip& held = held_[f];
  if (held.has_job || !held.work || held.rows_left > 0) return;
  if (held.is_assembled && held.panels.empty() && !can_send_contribution(held, f)) return;
  held.has_job = true;
  here_.walk.add_job([this, f] { run_next_job(f); });
}

template <class T>
void HeldStrips<T>::run_next_job(Index f) {
  HeldStrip& held = held_.at(f);
  held.has_job = false;
  if (!held.is_assembled) {
    assemble(held);
  } else if (!held.panels.empty()) {
    const HeldMessage first = std::move(held.panels.front());
    held.panels.pop_front();
    const auto panel = PanelMessage<T>::parse(first.message, here_.structure.kind);
    if (held.in_blocks)
      held.in_blocks->apply(here_.rank, panel);
    else
      held.work->apply(here_.rank, panel);
    if (panel.is_last) add_border(held);
  } else {
    return send_contribution(f);
  }
  add_next_job(f);
}

/// Room for L21: among the factors or in the file, or for a compressed front in a block of the pool until the
/// compression is over.
template <class T>
void HeldStrips<T>::allocate_lower(Strip<T>& strip, bool is_in_blocks) {
  const auto entries = static_cast<std::size_t>(padded_ld(strip.rows()) * strip.summed);
  FactorState<T>& state = here_.state;
  if (is_in_blocks) {
    strip.low_rank = std::make_unique<LowRankFactors<T>>();
    strip.low_rank->dense = HeldBlock(state.ledger, entries * sizeof(T));
    strip.lower_data = strip.low_rank->dense.template as<T>();
    std::fill_n(strip.lower_data, entries, T(0));
    return;
  }
  if (!state.file) {
    strip.lower_data = state.ledger.factors.template zeros<T>(entries);
    return;
  }
  state.file->allocate(entries * sizeof(T), strip.position);
  state.point_into_file(strip);
}

template <class T>
void HeldStrips<T>::assemble(HeldStrip& held) {
  Strip<T>& strip = held.strip;
  Ledger& ledger = here_.state.ledger;
  const Index rows = strip.rows();
  if (!here_.structure.is_symmetric()) allocate_lower(strip, held.in_blocks.has_value());
  strip.block = HeldBlock(ledger, static_cast<std::size_t>(padded_ld(rows) * strip.width) * sizeof(T));
  ledger.subtract_promised_bytes(held.promised_bytes);
  here_.rank.compute({"assemble", 0, 0, rows, strip.summed}, [&] {
    held.work->assemble(held.entries, sort_pieces<T>(held.pieces));
    if (held.in_blocks) held.work->clear_block();
  });
  held.entries = {};
  held.is_assembled = true;
}

template <class T>
void HeldStrips<T>::add_border(HeldStrip& held) {
  here_.rank.compute({"extend_add", 0, bytes_while_adding(held.pieces), held.strip.rows(), held.strip.width},
                     [&] { held.work->add_border(sort_pieces<T>(held.pieces)); });
  held.pieces.clear();
  held.is_border_added = true;
  here_.state.stats.flops += held.work->flops();
  here_.add_load(-held.predicted_flops);
}

/// The strip's rows of the contribution block set out for the parent; L21 stays.
template <class T>
void HeldStrips<T>::send_contribution(Index f) {
  HeldStrip& held = held_.at(f);
  Strip<T>& strip = held.strip;
  const Index delayed = strip.summed - strip.eliminated;
  Piece<T> rows{f, strip.first, 0, strip.contribution(), {}};
  if (!here_.structure.is_symmetric() && delayed > 0)
    rows.delayed = strip.L21().block(0, strip.eliminated, strip.rows(), delayed);
  here_.kind_of_parent(f).send_rows(rows);
  const Index parent = here_.structure.tree.parent[f];
  if (here_.structure.layout(parent) == Layout::grid)
    here_.walk.post(here_.structure.owner[parent], header_for(MessageKind::strip_left, parent, strip.rows()),
                    {});
  strip.block.give_back();
  if (held.in_blocks) low_rank_.add(held.in_blocks->tally());
  if (strip.low_rank) end_use_of_dense(strip);
  if (!here_.structure.is_symmetric()) {
    here_.state.finish(strip);
    here_.state.strips[f] = std::move(strip);
  }
  held_.erase(f);
  here_.state.write_finished(here_.rank);
  here_.walk.release_hold();
}

/// Compressed: the blocks are all that is left of L21.
template <class T>
void HeldStrips<T>::end_use_of_dense(Strip<T>& strip) {
  const auto blocks = strip.low_rank->of_blocks();
  here_.state.ledger.add_block_bytes(blocks.bytes, blocks.full_bytes);
  strip.lower_data = nullptr;
  strip.low_rank->dense.give_back();
}

OVERLAPACK_INSTANTIATE_CLASS(HeldStrips);

}  // namespace overlapack::sparse::multifrontal
