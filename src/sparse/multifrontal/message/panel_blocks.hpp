#pragma once
#include "comm/message.hpp"
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/front/low_rank_factors.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The blocks behind the pivots of a panel of a compressed front, at the end of a message: in sections by their rows, so that a
/// message that ends with a section has the blocks of all rows down to there.
template <class T>
struct PanelBlocks {
  std::span<const Index> ends;        ///< bytes of `stored` up to the end of each section
  std::span<const std::byte> stored;  ///< the sections, as many as came

  /// The blocks of all sections that came.
  std::vector<LowRankBlock<T>> blocks() const;

  /// tops: positions in the front where sections begin, ascending; blocks before the first one are in the
  ///         first section
  static void pack(std::span<const LowRankBlock<T>> blocks, std::span<const Index> tops, Packing& packing);
  /// The next arrays of a message with this body.
  static PanelBlocks parse(Unpacking& unpacking, const comm::Body& body);
};

}  // namespace overlapack::sparse::multifrontal
