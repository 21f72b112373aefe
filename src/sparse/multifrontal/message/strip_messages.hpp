#pragma once
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/message/contribution_message.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse {

comm::Header header_for(MessageKind kind, Index front);

void add(Packing& packing, const Strips& strips);
Strips next_strips(Unpacking& unpacking);

/// The original entries of L21 in one strip, by the row's place in the border and the column's among the front's pivots.
template <class T>
struct StripEntries {
  std::vector<std::int32_t> row, pivot;
  std::vector<T> value;
};

/// What the master of a distributed front tells a rank of it, and of its strip if it has one.
template <class T>
struct StripDescription {
  Strips strips;
  std::vector<double> flops;   ///< of each strip
  Index part = -1;             ///< number of the receiver's strip, -1: it has none, and what follows is empty
  Index summed = 0;            ///< S of the front
  std::vector<Index> delayed;  ///< by each child
  std::vector<int> senders;    ///< a rank for each part of a child's rows that comes
  StripEntries<T> entries;

  std::pair<comm::Header, comm::Body> pack(Index front) const;
  static StripDescription unpack(const comm::Message& message);
};

}  // namespace overlapack::sparse
