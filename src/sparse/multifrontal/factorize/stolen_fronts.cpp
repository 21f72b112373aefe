#include "sparse/multifrontal/factorize/stolen_fronts.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/values.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/packing.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
StolenFronts<T>::StolenFronts(const FrontContext<T>& here, std::function<void(double)> moved)
    : here_(here),
      moved_(std::move(moved)),
      stealing_(here.walk, here.structure.tasks.size(), *this, MessageKind::stealing) {
  if (here.plan.fronts.walk.early == dist::EarlyMessages::wait)
    throw Error(Status::bad_plan,
                "stealing does not go with waiting for late messages (early = wait), which must know their "
                "senders: set early to "
                "park, or steal to off");
}

template <class T>
template <class Visit>
void StolenFronts<T>::for_each_child(Index f, Visit&& visit) const {
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c])
    if (here_.structure.task_of[c] != here_.structure.task_of[f]) visit(c);
}

template <class T>
bool StolenFronts<T>::may_be_stolen(Index task) const {
  if (task_flops(here_.structure, task) < here_.plan.fronts.least_stolen_flops) return false;
  bool is_whole = true;
  for (Index f = here_.structure.task_front[task]; f < here_.structure.task_front[task + 1]; ++f) {
    const Index parent = here_.structure.tree.parent[f];
    is_whole = is_whole && !here_.structure.is_shared(f) && (parent < 0 || here_.structure.has_panel(parent));
    for_each_child(f, [&](Index c) { is_whole = is_whole && !here_.structure.is_shared(c); });
  }
  return is_whole;
}

template <class T>
void StolenFronts<T>::set_owner(Index task, int rank) {
  Structure& structure = here_.state.structure;
  structure.tasks.owner[static_cast<std::size_t>(task)] = rank;
  for (Index f = structure.task_front[task]; f < structure.task_front[task + 1]; ++f)
    structure.owner[f] = rank;
}

template <class T>
comm::Body StolenFronts<T>::pack_stolen(Index task, int thief) {
  Packing packing;
  const auto add = [&](const std::pair<comm::Header, comm::Body>& part) {
    packing.add_value(part.first);
    packing.add(part.second.template as<std::byte>());
  };
  for (Index f = here_.structure.task_front[task]; f < here_.structure.task_front[task + 1]; ++f) {
    const EntryList<T> entries = here_.entries.of_slot(here_.state.fronts.position(f));
    packing.add(entries.row);
    packing.add(entries.col);
    packing.add(entries.value);
    for_each_child(f, [&](Index c) {
      const bool is_mine = here_.state.is_mine(c);
      Contribution<T> child =
          is_mine ? contribution_of(here_.state.front(c)) : here_.state.remote.at(c).contribution();
      child.front = c;
      child.border = here_.structure.tree.border(c);
      add(pack_delayed(here_.walk.rank(), child));
      add(copy_block(here_.walk.rank(), child, here_.structure.is_symmetric()));
      if (is_mine)
        here_.state.front(c).block.give_back();
      else
        here_.state.remote.erase(c);
    });
    if (here_.structure.is_sent_to_parent_in_pieces(f)) here_.walk.release_hold();  // the thief has its rows
    here_.state.fronts.remove(f);
  }
  set_owner(task, thief);
  given_.insert(given_.end(), {task, static_cast<Index>(thief)});
  moved_(-task_flops(here_.structure, task));
  return std::move(packing).body();
}

template <class T>
void StolenFronts<T>::store_stolen(Index task, comm::Body body) {
  Unpacking unpacking(body);
  set_owner(task, here_.walk.rank().rank());
  for (Index f = here_.structure.task_front[task]; f < here_.structure.task_front[task + 1]; ++f) {
    const std::span<const std::int32_t> row = unpacking.next<std::int32_t>(),
                                        col = unpacking.next<std::int32_t>();
    const std::span<const T> value = unpacking.next<T>();
    stolen_[f] = {{row.begin(), row.end()}, {col.begin(), col.end()}, {value.begin(), value.end()}};
    for_each_child(f, [&](Index c) {
      for (int parts = 2; parts > 0; --parts) {
        const auto header = unpacking.next_value<comm::Header>();
        const auto bytes = unpacking.next<std::byte>();
        store_child(c,
                    {header, body.part(static_cast<std::size_t>(bytes.data() - body.data()), bytes.size())});
      }
    });
    here_.state.fronts.add(f);
    here_.kind_of(f).add_waits_of_front(f);
  }
  moved_(task_flops(here_.structure, task));
}

/// Stores what a child of a stolen front left. If the child is this rank's own, its delayed part is still
/// here; its block had gone to the victim and comes back.
template <class T>
void StolenFronts<T>::store_child(Index child, comm::Message message) {
  const bool is_block = message.header.kind == MessageKind::block_part;
  if (!here_.state.is_mine(child)) {
    RemoteContribution<T>& remote = here_.state.remote[child];
    remote.store_block_or_delayed(here_.walk.rank(), here_.state.ledger, std::move(message));
    remote.count_in_ledger(here_.state.ledger);
    here_.state.ledger.update_peak();
  } else if (is_block) {
    RemoteContribution<T> remote;
    remote.store_block_or_delayed(here_.walk.rank(), here_.state.ledger, std::move(message));
    Front<T>& front = here_.state.front(child);
    const Contribution<T> all = remote.contribution();
    if (!all.tiles.empty()) {
      front.block = HeldBlock(here_.state.ledger, packed_bytes(all.tiles));
      pack(all.tiles, front.block.template as<std::byte>());
      front.low_rank->contribution = unpack_tiles<T>(front.block.template as<std::byte>());
      return;
    }
    const StaircaseView<const T> from = all.block;
    const Index entries = staircase_entries(from.n, from.width);
    front.block_width = from.width;
    front.block = HeldBlock(here_.state.ledger, static_cast<std::size_t>(entries) * sizeof(T));
    comm::run_unless_phantom(here_.walk.rank(),
                             [&] { std::copy_n(from.data, entries, front.contribution().data); });
  }
}

template <class T>
void StolenFronts<T>::broadcast_owners() {
  comm::Rank& rank = here_.walk.rank();
  std::vector<Index> given;
  for (const comm::Body& part : comm::collective::gather(rank, 0, comm::Body::adopt(std::move(given_)))) {
    const auto pairs = part.as<Index>();
    given.insert(given.end(), pairs.begin(), pairs.end());
  }
  const comm::Body all = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(given)));
  const auto pairs = all.as<Index>();
  for (std::size_t i = 0; i < pairs.size(); i += 2) set_owner(pairs[i], static_cast<int>(pairs[i + 1]));

  here_.state.fronts.remove_gaps();
}

OVERLAPACK_INSTANTIATE_CLASS(StolenFronts);

}  // namespace overlapack::sparse::multifrontal
