#include "sparse/multifrontal/factorize/stolen_fronts.hpp"

#include "comm/collective/collective.hpp"
#include "comm/values.hpp"
#include "kernels/operand.hpp"
#include "sparse/factors/packing.hpp"

#include <algorithm>
#include <complex>
#include <utility>

namespace overlapack::sparse {

template <class T>
StolenFronts<T>::StolenFronts(FactorState<T>& state, const EntryStore<T>& entries, const FactorPlan& plan,
                              dist::TreeWalk& walk, std::function<void(double)> moved)
    : state_(state),
      structure_(state.structure),
      entries_(entries),
      least_flops_(plan.fronts.least_stolen_flops),
      walk_(walk),
      moved_(std::move(moved)),
      stealing_(walk, state.structure.tasks.size(), *this, MessageKind::stealing) {
  if (plan.fronts.walk.early == dist::EarlyMessages::wait)
    throw Error(ErrorKind::bad_plan, "multifrontal",
                "stealing does not go with waiting for late messages (early = wait), which must know their "
                "senders: set early to "
                "park, or steal to off");
}

template <class T>
template <class Visit>
void StolenFronts<T>::for_each_child(Index f, Visit&& visit) const {
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    if (structure_.task_of[c] != structure_.task_of[f]) visit(c);
}

template <class T>
bool StolenFronts<T>::may_leave(Index task) const {
  if (task_flops(structure_, task) < least_flops_) return false;
  bool is_whole = true;
  for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1]; ++f) {
    const Index parent = structure_.tree.parent[f];
    is_whole = is_whole && !structure_.takes_pieces(f) && (parent < 0 || parent != structure_.grid_root);
    for_each_child(f, [&](Index c) { is_whole = is_whole && !structure_.in_strips[c]; });
  }
  return is_whole;
}

template <class T>
void StolenFronts<T>::set_owner(Index task, int rank) {
  Structure& structure = state_.structure;
  structure.tasks.owner[static_cast<std::size_t>(task)] = rank;
  for (Index f = structure.task_front[task]; f < structure.task_front[task + 1]; ++f)
    structure.owner[f] = rank;
}

template <class T>
comm::Body StolenFronts<T>::give(Index task, int thief) {
  Packing packing;
  const auto add = [&](const std::pair<comm::Header, comm::Body>& part) {
    packing.add_one(part.first);
    packing.add(part.second.template as<std::byte>());
  };
  for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1]; ++f) {
    const EntryList<T> entries = entries_.of_slot(state_.fronts.place(f));
    packing.add(entries.row);
    packing.add(entries.col);
    packing.add(entries.value);
    for_each_child(f, [&](Index c) {
      const bool is_mine = state_.is_mine(c);
      Contribution<T> child = is_mine ? contribution_of(state_.front(c)) : state_.remote.at(c).contribution();
      child.front = c;
      child.border = structure_.tree.border(c);
      add(pack_delayed(walk_.rank(), child));
      add(copy_block(walk_.rank(), child, structure_.is_symmetric()));
      if (is_mine)
        state_.front(c).block.give_back();
      else
        state_.remote.erase(c);
    });
    const Index parent = structure_.tree.parent[f];
    if (parent >= 0 && structure_.in_strips[parent]) walk_.release();  // the thief has its rows
    state_.fronts.remove(f);
  }
  set_owner(task, thief);
  given_.insert(given_.end(), {task, static_cast<Index>(thief)});
  moved_(-task_flops(structure_, task));
  return std::move(packing).body();
}

template <class T>
void StolenFronts<T>::take(Index task, comm::Body body) {
  Unpacking unpacking(body);
  set_owner(task, walk_.rank().rank());
  for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1]; ++f) {
    EntryList<T> entries;
    entries.row = unpacking.next<std::int32_t>();
    entries.col = unpacking.next<std::int32_t>();
    entries.value = unpacking.next<T>();
    stolen_[f] = {body, entries};
    for_each_child(f, [&](Index c) {
      for (int parts = 2; parts > 0; --parts) {
        const auto header = unpacking.next_one<comm::Header>();
        const auto bytes = unpacking.next<std::byte>();
        take_child(c,
                   {header, body.part(static_cast<std::size_t>(bytes.data() - body.data()), bytes.size())});
      }
    });
    const Index parent = structure_.tree.parent[f];
    if (parent >= 0 && structure_.in_strips[parent]) walk_.hold();
    state_.fronts.add(f);
  }
  moved_(task_flops(structure_, task));
}

/// What a child delayed is still here where the child is mine; its block had gone to the victim and comes back.
template <class T>
void StolenFronts<T>::take_child(Index child, comm::Message message) {
  const bool is_block = message.header.kind == MessageKind::block_part;
  if (!state_.is_mine(child)) {
    RemoteContribution<T>& remote = state_.remote[child];
    remote.take(walk_.rank(), std::move(message));
    remote.book(state_.ledger);
    state_.ledger.note_peak();
  } else if (is_block) {
    RemoteContribution<T> remote;
    remote.take(walk_.rank(), std::move(message));
    Front<T>& front = state_.front(child);
    const StaircaseView<const T> from = remote.contribution().block;
    const Index entries = staircase_entries(from.n, from.width);
    front.block_width = from.width;
    front.block = HeldBlock(state_.ledger, static_cast<std::size_t>(entries) * sizeof(T));
    comm::on_values(walk_.rank(), [&] { std::copy_n(from.data, entries, front.contribution().data); });
  }
}

template <class T>
void StolenFronts<T>::settle() {
  comm::Rank& rank = walk_.rank();
  std::vector<Index> given;
  for (const comm::Body& part : comm::collective::gather(rank, 0, comm::Body::adopt(std::move(given_)))) {
    const auto pairs = part.as<Index>();
    given.insert(given.end(), pairs.begin(), pairs.end());
  }
  const comm::Body all = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(given)));
  const auto pairs = all.as<Index>();
  for (std::size_t i = 0; i < pairs.size(); i += 2) set_owner(pairs[i], static_cast<int>(pairs[i + 1]));

  state_.fronts.tidy();
}

#define OVERLAPACK_INSTANTIATE(T) template class StolenFronts<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
