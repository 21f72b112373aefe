#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"
#include "sparse/multifrontal/message/piece.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Packs the delayed variables of a front: row names, column names, square, rows, cols (LU only), one after
/// the other. If the contribution has no square, the names alone.
template <class T>
std::pair<comm::Header, comm::Body> pack_delayed(const comm::Rank& rank, const Contribution<T>& c);

/// Takes the block from a front and makes a message of it. With pack_lower its lower triangle is packed by
/// columns, unless it is in tiles. Else its memory is the body of the message, without a copy.
template <class T>
std::pair<comm::Header, comm::Body> pack_block(const comm::Rank& rank, Front<T>& front, bool pack_lower);

/// The same for any contribution, by a copy: the contribution keeps its block.
template <class T>
std::pair<comm::Header, comm::Body> copy_block(const comm::Rank& rank, const Contribution<T>& c,
                                               bool pack_lower);

/// What another rank's front contributes to a front of this rank, as its messages come in. The names of the
/// delayed variables stay for the solves.
template <class T>
class RemoteContribution {
 public:
  /// Keep one of the two parts of a whole front, what it delayed or its block, by the message's kind; a packed block is spread out
  /// again, and is on the books beside what comes of it meanwhile. What is kept is not there before count_in_ledger().
  void store_block_or_delayed(const comm::Rank& rank, Ledger& ledger, comm::Message message);
  /// Keep some rows of the contribution block of a distributed front, and of its delayed columns.
  void store_piece(const comm::Rank& rank, const Piece<T>& piece, Index border);
  /// Counts what is kept in the ledger, until release.
  void count_in_ledger(Ledger& ledger) { entry_.set(ledger, bytes()); }
  /// Sets the block and the delayed columns of `c` to the rows that came in pieces.
  void add_rows_to(Contribution<T>& c) const;
  /// Sets the names alone, as they are after release: for factors that are loaded from a file.
  void keep_names(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns) {
    row_name_.assign(rows.begin(), rows.end());
    col_name_.assign(columns.begin(), columns.end());
  }
  /// Views on what came; valid until release.
  Contribution<T> contribution() const;
  /// Let the numbers go, keep the names.
  void release();

  const std::vector<std::int32_t>& row_name() const { return row_name_; }
  const std::vector<std::int32_t>& col_name() const { return col_name_; }

 private:
  std::size_t bytes() const { return delayed_.size() + block_.size() + square_.bytes() + cols_.bytes(); }

  Index front_ = -1, border_ = 0, block_width_ = 1;
  bool has_cols_ = false;
  std::vector<std::int32_t> row_name_, col_name_;  ///< of the delayed variables
  comm::Body delayed_, block_;
  std::vector<ContributionTile<T>> tiles_;  ///< views on the block, if it is in tiles
  BodyBuffer square_, cols_;                ///< of a distributed front: m x m, m x d
  Ledger::Entry entry_;
};

}  // namespace overlapack::sparse::multifrontal
