#include "dist/moves/messages/pivot_search.hpp"

#include "kernels/operand.hpp"

namespace overlapack::dist {
template <class T>
void combine_pivots(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                    PivotRow<T>& best) {
  const int size = group.size();
  comm::Key name = key;
  for (int distance = 1; distance < size; distance *= 2, ++name.piece) {
    exchange.send(group.ranks[static_cast<std::size_t>((group.me + distance) % size)], name,
                  packed_pivot(best));
    const int from = group.ranks[static_cast<std::size_t>((group.me - distance + size) % size)];
    take_better(best, exchange.receive(from, name).body);
  }
}

void charge_pivots(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
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

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template void combine_pivots<T>(comm::Exchange&, const comm::collective::Group&, const comm::Key&, \
                                  PivotRow<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
