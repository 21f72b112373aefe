#include "sparse/multifrontal/message/strip_messages.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/message/copy_columns.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

void add(Packing& packing, const Strips& strips) {
  packing.add(strips.start);
  packing.add(strips.rank);
}

Strips next_strips(Unpacking& unpacking) {
  Strips strips;
  unpacking.read_into(strips.start);
  unpacking.read_into(strips.rank);
  return strips;
}

}  // namespace

std::pair<comm::Header, comm::Body> pack_strips(MessageKind kind, Index front, const Strips& strips) {
  Packing packing;
  add(packing, strips);
  return {header_for(kind, front), std::move(packing).body()};
}

Strips parse_strips(const comm::Message& message) {
  Unpacking unpacking(message.body);
  return next_strips(unpacking);
}

template <class T>
std::pair<comm::Header, comm::Body> StripDescription<T>::pack(Index front) const {
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
  return {header_for(MessageKind::strip_description, front, part, summed), std::move(packing).body()};
}

template <class T>
StripDescription<T> StripDescription<T>::parse(const comm::Message& message) {
  StripDescription d;
  Unpacking unpacking(message.body);
  d.strips = next_strips(unpacking);
  unpacking.read_into(d.flops);
  const FrontHeader header(message);
  d.part = header.first;
  d.summed = header.second;
  if (d.part < 0) return d;
  unpacking.read_into(d.delayed);
  unpacking.read_into(d.senders);
  unpacking.read_into(d.entries.row);
  unpacking.read_into(d.entries.pivot);
  unpacking.read_into(d.entries.value);
  return d;
}

template <class T>
std::pair<comm::Header, comm::Body> PanelMessage<T>::pack(const comm::Rank& rank, FactorKind kind) const {
  const auto pivots = static_cast<std::size_t>(count),
             all = static_cast<std::size_t>(columns.rows * columns.cols);
  std::vector<Index> tops;  // of the sections of blocks: the rows of each strip
  for (std::size_t i = 1; i < cuts.size(); ++i) tops.push_back(border_top + cuts[i - 1]);
  Packing packing(Packing::bytes_of<int>(tree.size()) + Packing::bytes_of<Index>(tree_rows.size()) +
                  Packing::bytes_of<Index>(cuts.size()) + Packing::bytes_of<std::int32_t>(pivots) +
                  Packing::bytes_of<T>(all) + 2 * Packing::bytes_of<T>(pivots));
  packing.add(tree);
  packing.add(tree_rows);
  packing.add(cuts);
  if (kind == FactorKind::lu) packing.add(exchanged);
  if (kind == FactorKind::ldlt) {
    packing.add(d);
    packing.add(d_off);
  }
  // last, so that a beginning of the message is a message with fewer rows
  if (!is_in_blocks || kind == FactorKind::lu) pack_columns(rank, packing);
  if (is_in_blocks) PanelBlocks<T>::pack(below, tops, packing);
  return {header_for(MessageKind::panel_part, front, first, count, is_last + 2 * is_in_blocks),
          std::move(packing).body()};
}

template <class T>
void PanelMessage<T>::pack_columns(const comm::Rank& rank, Packing& packing) const {
  T* to = packing.room_for<T>(static_cast<std::size_t>(columns.rows * columns.cols));
  if (cuts.empty()) append_columns(rank, columns, to);
  for (std::size_t i = 1; i < cuts.size(); ++i)
    to = append_columns(rank, columns.block(cuts[i - 1], 0, cuts[i] - cuts[i - 1], count), to);
}

template <class T>
PanelMessage<T> PanelMessage<T>::parse(const comm::Message& message, FactorKind kind) {
  const FrontHeader header(message);
  Unpacking unpacking(message.body);
  PanelMessage panel;
  panel.front = header.front;
  panel.first = header.first;
  panel.count = header.second;
  panel.is_last = header.third % 2 != 0;
  panel.is_in_blocks = header.third >= 2;
  panel.tree = unpacking.next<int>();
  panel.tree_rows = unpacking.next<Index>();
  panel.cuts = unpacking.next<Index>();
  if (kind == FactorKind::lu) panel.exchanged = unpacking.next<std::int32_t>();
  if (kind == FactorKind::ldlt) {
    panel.d = unpacking.next<T>();
    panel.d_off = unpacking.next<T>();
  }
  if (!panel.is_in_blocks || kind == FactorKind::lu) panel.unpack_entries(unpacking, message.body, kind);
  if (panel.is_in_blocks) panel.blocks = PanelBlocks<T>::parse(unpacking, message.body);
  return panel;
}

template <class T>
void PanelMessage<T>::unpack_entries(Unpacking& unpacking, const comm::Body& body, FactorKind kind) {
  entries = unpacking.next<T>();
  const std::byte* const end = body.data() + body.size();
  const auto came =
      static_cast<std::size_t>(end - reinterpret_cast<const std::byte*>(entries.data())) / sizeof(T);
  entries = entries.first(std::min(entries.size(), came));
  if (kind != FactorKind::lu) return;
  const Index rows = count > 0 ? static_cast<Index>(entries.size()) / count : 0;
  columns = {entries.data(), rows, count, rows};
}

template <class T>
MatrixView<const T> PanelMessage<T>::rows_of(std::size_t block) const {
  const Index rows = cuts[block + 1] - cuts[block];
  return {entries.data() + cuts[block] * count, rows, count, rows};
}

template <class T>
comm::Body PanelMessage<T>::with_rows(const comm::Body& body, Index rows) const {
  if (cuts.empty() || rows == cuts.back()) return body;
  if (is_in_blocks) {
    const auto strip = std::ranges::lower_bound(cuts, rows) - cuts.begin() - 1;
    return body.part(0, static_cast<std::size_t>(blocks.stored.data() - body.data() + blocks.ends[strip]));
  }
  const auto before =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(entries.data()) - body.data());
  return body.part(0, before + static_cast<std::size_t>(rows * count) * sizeof(T));
}

#define OVERLAPACK_INSTANTIATE(T)      \
  template struct StripDescription<T>; \
  template struct PanelMessage<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
