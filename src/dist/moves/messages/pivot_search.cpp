#include "dist/moves/messages/pivot_search.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"

namespace overlapack::dist {

template <class T>
void find_pivot(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                PivotCandidate<T>& best) {
  const auto [parent, left, right] = comm::collective::tree_position(group.me, group.size(), 0);
  const auto rank_of = [&](int position) { return group.ranks[static_cast<std::size_t>(position)]; };
  comm::Key up = key, down = key;
  up.piece = 0;
  down.piece = 1;
  const auto receive = [&](int position, const comm::Key& name) {
    return exchange.receive(rank_of(position), name).body.template as<PivotCandidate<T>>()[0];
  };
  const auto send = [&](int position, const comm::Key& name) {
    exchange.send(rank_of(position), name, comm::Body::copy_of(std::span<const PivotCandidate<T>>(&best, 1)));
  };
  for (const int child : {left, right})
    if (child >= 0)
      if (const PivotCandidate<T> theirs = receive(child, up); theirs.is_better_than(best)) best = theirs;
  if (parent >= 0) {
    send(parent, up);
    best = receive(parent, down);
  }
  for (const int child : {left, right})
    if (child >= 0) send(child, down);
}

template <class T>
void reduce_to_best_pivot(comm::Exchange& exchange, const comm::collective::Group& group,
                          const comm::Key& key, PivotRow<T>& best) {
  const int size = group.size();
  comm::Key name = key;
  for (int distance = 1; distance < size; distance *= 2, ++name.piece) {
    exchange.send(group.ranks[static_cast<std::size_t>((group.me + distance) % size)], name,
                  packed_pivot(best));
    const int from = group.ranks[static_cast<std::size_t>((group.me - distance + size) % size)];
    keep_better_pivot_row(best, exchange.receive(from, name).body);
  }
}

void charge_pivot_search(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                         Index columns, std::size_t bytes) {
  const int size = group.size();
  comm::Key name = key;
  int rounds = 0;
  for (int distance = 1; distance < size; distance *= 2, ++name.piece, ++rounds) {
    exchange.send(group.ranks[static_cast<std::size_t>((group.me + distance) % size)], name,
                  comm::Body::phantom(bytes));
    exchange.receive(group.ranks[static_cast<std::size_t>((group.me - distance + size) % size)], name);
  }
  exchange.rank().compute({.kind = "message", .flops = static_cast<double>((columns - 1) * rounds)}, [] {});
}

#define OVERLAPACK_INSTANTIATE(T)                                                                          \
  template void reduce_to_best_pivot<T>(comm::Exchange&, const comm::collective::Group&, const comm::Key&, \
                                        PivotRow<T>&);                                                     \
  template void find_pivot<T>(comm::Exchange&, const comm::collective::Group&, const comm::Key&,           \
                              PivotCandidate<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
