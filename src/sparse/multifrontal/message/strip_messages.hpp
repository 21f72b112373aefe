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

/// Messages of the kinds strip_list and parent_strips: which ranks hold some border rows.
/// front: a child; strips: those of the child (strip_list), or those of its parent (parent_strips)
std::pair<comm::Header, comm::Body> pack_strips(MessageKind kind, Index front, const Strips& strips);
Strips parse_strips(const comm::Message& message);

/// The original entries of L21 in one strip. row counts the front's border rows, pivot its own pivots,
/// without delayed ones.
template <class T>
struct StripEntries {
  std::vector<std::int32_t> row, pivot;
  std::vector<T> value;
};

/// What the master of a distributed front sends to each of its strips, and to the masters that choose strips
/// later.
template <class T>
struct StripDescription {
  Strips strips;
  std::vector<double> flops;   ///< of each strip
  Index part = -1;             ///< number of the receiver's strip; -1: it has none, and what follows is empty
  Index summed = 0;            ///< S of the front
  std::vector<Index> delayed;  ///< child of the front -> number of variables that it delayed
  std::vector<int> senders;    ///< early = wait: ranks that send rows of children, once for each message
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
  /// The ranks that pass the panel on, the master first; empty: the master sends it to each strip.
  std::span<const int> tree;
  /// Symmetric: number of rows of L21 that each rank of the tree needs; never more than the rank that sends
  /// to it.
  std::span<const Index> tree_rows;
  std::span<const Index> cuts;  ///< symmetric: border rows at which the blocks of rows begin, and the end
  /// LU: as PanelSteps::exchanged; for a compressed front as LowRankPanel::col_order.
  std::span<const std::int32_t> exchanged;
  std::span<const T> d, d_off;  ///< LDL^T
  /// LU: rows first.. of the panel's columns, [U11^T; U12^T]. Symmetric: L21, before it is packed.
  MatrixView<const T> columns;
  std::span<const T> entries;  ///< in a message: the entries of `columns`, as many as came
  /// Compressed front: the message has blocks in the place of `columns`, except U11^T of LU.
  bool is_in_blocks = false;
  /// Before it is packed, the blocks. LU: all rows below U11^T; symmetric: rows of the border.
  std::span<const LowRankBlock<T>> below;
  Index border_top = 0;   ///< before it is packed: the position of the first border row in the front
  PanelBlocks<T> blocks;  ///< in a message: the blocks that came

  std::pair<comm::Header, comm::Body> pack(const comm::Rank& rank, FactorKind kind) const;
  static PanelMessage parse(const comm::Message& message, FactorKind kind);

  /// Symmetric, in a message: rows [cuts[block], cuts[block + 1]) of L21.
  MatrixView<const T> rows_of(std::size_t block) const;
  /// The beginning of the body of this message, down to `rows` rows of L21; LU: the whole body.
  comm::Body with_rows(const comm::Body& body, Index rows) const;

 private:
  void pack_columns(const comm::Rank& rank, Packing& packing) const;
  void unpack_entries(Unpacking& unpacking, const comm::Body& body, FactorKind kind);
};

}  // namespace overlapack::sparse::multifrontal
