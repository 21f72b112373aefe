#include "dist/moves/pivot_row.hpp"

#include "base/instantiate.hpp"

#include <cstring>

namespace overlapack::dist {
namespace {

/// Header of the message, followed by entries and displaced.
struct Head {
  double size;
  Index row;
  Index entries;  ///< number of entries of the pivot row; the rest of the message is the displaced row
};

bool is_better(const Head& offered, double size, Index row) {
  if (offered.row < 0 || row < 0) return offered.row >= 0;
  return offered.size > size || (offered.size == size && offered.row < row);
}

}  // namespace

template <class T>
comm::Body packed_pivot(const PivotRow<T>& pivot) {
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

template <class T>
void keep_better_pivot_row(PivotRow<T>& best, const comm::Body& body) {
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

#define OVERLAPACK_INSTANTIATE(T)                          \
  template comm::Body packed_pivot<T>(const PivotRow<T>&); \
  template void keep_better_pivot_row<T>(PivotRow<T>&, const comm::Body&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
