#include "dist/moves/messages/pivot_search.hpp"

#include "kernels/operand.hpp"

#include <cstring>

namespace overlapack::dist {
namespace {

/// What stands before the entries in a message.
struct Head {
  double size;
  Index row;
  Index entries;  ///< how many; the others are the displaced row's
};

template <class T>
comm::Body packed(const PivotRow<T>& pivot) {
  const Head head{pivot.size, pivot.row, static_cast<Index>(pivot.entries.size())};
  std::vector<std::byte> bytes(sizeof head + (pivot.entries.size() + pivot.displaced.size()) * sizeof(T));
  std::byte* to = bytes.data();
  const auto append = [&to](const void* from, std::size_t count) {
    if (count > 0) std::memcpy(to, from, count);
    to += count;
  };
  append(&head, sizeof head);
  append(pivot.entries.data(), pivot.entries.size() * sizeof(T));
  append(pivot.displaced.data(), pivot.displaced.size() * sizeof(T));
  return comm::Body::adopt(std::move(bytes));
}

bool is_better(const Head& offered, double size, Index row) {
  if (offered.row < 0 || row < 0) return offered.row >= 0;
  return offered.size > size || (offered.size == size && offered.row < row);
}

template <class T>
void take_better(PivotRow<T>& best, const comm::Body& body) {
  Head head;
  std::memcpy(&head, body.data(), sizeof head);
  const auto values = body.part(sizeof head, body.size() - sizeof head).template as<T>();
  const auto entries = values.first(static_cast<std::size_t>(head.entries));
  const auto displaced = values.subspan(entries.size());
  if (is_better(head, best.size, best.row)) {
    best.size = static_cast<Real<T>>(head.size);
    best.row = head.row;
    best.entries.assign(entries.begin(), entries.end());
  }
  if (best.displaced.empty()) best.displaced.assign(displaced.begin(), displaced.end());
}

}  // namespace

template <class T>
void combine_pivots(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                    PivotRow<T>& best) {
  const int size = group.size();
  comm::Key name = key;
  for (int distance = 1; distance < size; distance *= 2, ++name.piece) {
    exchange.send(group.ranks[static_cast<std::size_t>((group.me + distance) % size)], name, packed(best));
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
