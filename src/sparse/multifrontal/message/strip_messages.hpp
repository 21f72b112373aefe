#pragma once
#include "base/matrix_view.hpp"
#include "comm/rank.hpp"
#include "sparse/multifrontal/message/front_header.hpp"
#include "sparse/multifrontal/message/panel_blocks.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Who holds the border rows of a front: messages of kind MessageKind::strip_list and MessageKind::parent_strips.
/// front: that the message is about; strips: of it (MessageKind::strip_list), of its parent (MessageKind::parent_strips)
std::pair<comm::Header, comm::Body> pack_strips(MessageKind kind, Index front, const Strips& strips);
Strips parse_strips(const comm::Message& message);

/// The original entries of L21 in one strip, by the row's place in the border and the column's among the front's pivots.
template <class T>
struct StripEntries {
  std::vector<std::int32_t> row, pivot;
  std::vector<T> value;
};

/// What the master of a distributed front tells each of its strips, and those who choose strips later.
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
  static StripDescription parse(const comm::Message& message);
};

/// The pivots of one step, from the rank that eliminates them to the strips. Views on what is packed, or on the message.
///
/// A strip of a symmetric front needs the rows of L21 down to its own last one. So L21 travels in blocks of rows, one for each
/// strip, and a strip gets the beginning of the message up to its own block, without a copy: of many strips of one area two
/// thirds of all rows on the average.
template <class T>
struct PanelMessage {
  Index front = -1;
  Index first = 0, count = 0;  ///< pivots of this step
  bool is_last = false;
  std::span<const int> tree;  ///< ranks that pass it on, the master first; none where he sends to each
  std::span<const Index>
      tree_rows;  ///< symmetric: how many rows of L21 each of these needs, none more than who sends to it
  std::span<const Index> cuts;  ///< symmetric: where the blocks of rows begin, and the last one ends
  std::span<const std::int32_t>
      exchanged;  ///< LU: as PanelSteps::exchanged; of a compressed front as LowRankPanel::col_order
  std::span<const T> d, d_off;  ///< LDL^T
  MatrixView<const T>
      columns;  ///< LU: rows first.. of the panel's columns, [U11^T; U12^T]; others, where it is packed: L21
  std::span<const T> entries;  ///< of a message: those of `columns`, as many as came
  /// Of a compressed front, in the place of these columns: blocks, and for LU U11^T, as `columns`.
  bool is_in_blocks = false;
  std::span<const LowRankBlock<T>>
      below;              ///< where it is packed. LU: all rows below U11^T; symmetric: of the border
  Index border_top = 0;   ///< the same: the position of the first border row
  PanelBlocks<T> blocks;  ///< of a message: those that came

  std::pair<comm::Header, comm::Body> pack(const comm::Rank& rank, FactorKind kind) const;
  static PanelMessage parse(const comm::Message& message, FactorKind kind);

  /// Of a message of a symmetric front: rows [cuts[block], cuts[block + 1]) of L21.
  MatrixView<const T> rows_of(std::size_t block) const;
  /// Of the message with this body: its beginning, with so many rows of L21; LU: all of it.
  comm::Body with_rows(const comm::Body& body, Index rows) const;

 private:
  void pack_columns(const comm::Rank& rank, Packing& packing) const;
  void unpack_entries(Unpacking& unpacking, const comm::Body& body, FactorKind kind);
};

}  // namespace overlapack::sparse::multifrontal
