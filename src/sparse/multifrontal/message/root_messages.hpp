#pragma once
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/message/front_header.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What the owner of a root on a grid sends to each rank: how many variables each child delayed, and the
/// rank's original entries, by their positions in its part. Views on what is packed, or on the message.
template <class T>
struct RootDescription {
  std::span<const Index> delayed;
  std::span<const std::int32_t> row, col;
  std::span<const T> value;

  std::pair<comm::Header, comm::Body> pack(Index root) const {
    Packing packing;
    packing.add(delayed);
    packing.add(row);
    packing.add(col);
    packing.add(value);
    return {header_for(MessageKind::root_description, root), std::move(packing).body()};
  }
  static RootDescription parse(const comm::Message& message) {
    Unpacking unpacking(message.body);
    RootDescription d;
    d.delayed = unpacking.next<Index>();
    d.row = unpacking.next<std::int32_t>();
    d.col = unpacking.next<std::int32_t>();
    d.value = unpacking.next<T>();
    return d;
  }
};

/// Those entries of a rectangle of a child's contribution that one process of the grid has, column by column.
template <class T>
struct RootPiece {
  Index child = -1;
  Index first_row = 0, end_row = 0, first_col = 0, end_col = 0;
  std::span<const T> values;

  /// fill(to) writes `count` values.
  template <class Fill>
  std::pair<comm::Header, comm::Body> pack(std::size_t count, Fill&& fill) const {
    const Index bounds[] = {first_row, end_row, first_col, end_col};
    Packing packing(Packing::bytes_of<Index>(std::size(bounds)) + Packing::bytes_of<T>(count));
    packing.add(std::span<const Index>(bounds));
    fill(packing.room_for<T>(count));
    return {header_for(MessageKind::root_piece, child), std::move(packing).body()};
  }
  static RootPiece parse(const comm::Message& message) {
    Unpacking unpacking(message.body);
    const auto bounds = unpacking.next<Index>();
    return {front_of(message), bounds[0], bounds[1], bounds[2], bounds[3], unpacking.next<T>()};
  }
};

}  // namespace overlapack::sparse::multifrontal
