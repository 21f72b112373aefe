#include "sparse/multifrontal/strip_messages.hpp"

#include "kernels/operand.hpp"

#include <complex>

namespace overlapack::sparse {

namespace {

template <class V>
std::vector<V> next_vector(Unpacking& unpacking) {
  const auto values = unpacking.next<V>();
  return {values.begin(), values.end()};
}

}  // namespace

comm::Header header_for(MessageKind kind, Index front) {
  comm::Header header;
  header.kind = kind;
  header.id[2] = front;
  return header;
}

void add(Packing& packing, const Strips& strips) {
  packing.add(strips.start);
  packing.add(strips.rank);
}

Strips next_strips(Unpacking& unpacking) {
  Strips strips;
  strips.start = next_vector<Index>(unpacking);
  strips.rank = next_vector<int>(unpacking);
  return strips;
}

template <class T>
std::pair<comm::Header, comm::Body> StripDescription<T>::pack(Index front) const {
  comm::Header header = header_for(MessageKind::strip_description, front);
  header.id[3] = part;
  header.id[4] = summed;
  Packing packing;
  add(packing, strips);
  packing.add(flops);
  if (part >= 0) {
    packing.add(delayed);
    packing.add(senders);
    packing.add(entries.row);
    packing.add(entries.pivot);
    packing.add(entries.value);
  }
  return {header, std::move(packing).body()};
}

template <class T>
StripDescription<T> StripDescription<T>::unpack(const comm::Message& message) {
  StripDescription d;
  Unpacking unpacking(message.body);
  d.strips = next_strips(unpacking);
  d.flops = next_vector<double>(unpacking);
  d.part = message.header.id[3];
  d.summed = message.header.id[4];
  if (d.part < 0) return d;
  d.delayed = next_vector<Index>(unpacking);
  d.senders = next_vector<int>(unpacking);
  d.entries.row = next_vector<std::int32_t>(unpacking);
  d.entries.pivot = next_vector<std::int32_t>(unpacking);
  d.entries.value = next_vector<T>(unpacking);
  return d;
}

#define OVERLAPACK_INSTANTIATE(T) template struct StripDescription<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
