#include "sparse/multifrontal/stolen_fronts.hpp"

#include "comm/collective/collective.hpp"
#include "comm/values.hpp"
#include "kernels/operand.hpp"
#include "sparse/multifrontal/packing.hpp"

#include <algorithm>
#include <complex>
#include <utility>

namespace overlapack::sparse {

template <class T>
StolenFronts<T>::StolenFronts(FactorState<T>& state, const EntryStore<T>& entries,
                              const MultifrontalPlan& plan, dist::TreeWalk& walk, BlockPool& pool,
                              std::function<void(double)> moved)
    : state_(state),
      structure_(state.structure),
      entries_(entries),
      least_flops_(plan.least_stolen_flops),
      walk_(walk),
      pool_(pool),
      moved_(std::move(moved)),
      stealing_(walk, state.structure.tasks.size(), *this, MessageKind::stealing) {
  if (plan.walk.early == dist::EarlyMessages::wait)
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
    const FrontEntries<T> entries = entries_.of_front(state_.local[f]);
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
      if (is_mine) {
        state_.live_bytes -= static_cast<double>(state_.front(c).block.bytes);
        pool_.give(std::move(state_.front(c).block));
      } else {
        state_.live_bytes -= static_cast<double>(state_.remote.at(c).bytes());
        state_.remote.erase(c);
      }
    });
    const Index parent = structure_.tree.parent[f];
    if (parent >= 0 && structure_.in_strips[parent]) walk_.release();  // the thief has its rows
    state_.local[f] = -1;
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
    FrontEntries<T> entries;
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
    state_.local[f] = static_cast<std::int32_t>(state_.fronts.size());
    state_.fronts.emplace_back();
  }
  moved_(task_flops(structure_, task));
}

/// What a child delayed is still here where the child is mine; its block had gone to the victim and comes back.
template <class T>
void StolenFronts<T>::take_child(Index child, comm::Message message) {
  const bool is_block = message.header.kind == MessageKind::block_part;
  if (!state_.is_mine(child)) {
    RemoteContribution<T>& remote = state_.remote[child];
    const std::size_t before = remote.bytes();
    remote.take(walk_.rank(), std::move(message));
    state_.hold_bytes(static_cast<double>(remote.bytes() - before), pool_.kept_bytes());
  } else if (is_block) {
    RemoteContribution<T> remote;
    remote.take(walk_.rank(), std::move(message));
    Front<T>& front = state_.front(child);
    const StaircaseView<const T> from = remote.contribution().block;
    const Index entries = staircase_entries(from.n, from.width);
    front.block_width = from.width;
    front.block = pool_.take(static_cast<std::size_t>(entries) * sizeof(T));
    comm::on_values(walk_.rank(), [&] { std::copy_n(from.data, entries, front.contribution().data); });
    state_.hold_bytes(static_cast<double>(front.block.bytes), pool_.kept_bytes());
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

  std::deque<Front<T>> mine;
  for (Index f = 0; f < structure_.tree.fronts(); ++f) {
    if (!state_.is_mine(f)) continue;
    mine.push_back(std::move(state_.front(f)));
    state_.local[f] = static_cast<std::int32_t>(mine.size() - 1);
  }
  state_.fronts = std::move(mine);
}

#define OVERLAPACK_INSTANTIATE(T) template class StolenFronts<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
