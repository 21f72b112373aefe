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

/// The delayed variables of a front: row names, column names, square, rows, cols (LU only), one after the other. Where
/// the contribution has no square, the names alone.
template <class T>
std::pair<comm::Header, comm::Body> pack_delayed(const comm::Rank& rank, const Contribution<T>& c);

/// The block of a front, which gives it up: handed over as it is where memory is shared, the matrix unsymmetric or the block in
/// tiles, else packed by columns of its lower triangle.
template <class T>
std::pair<comm::Header, comm::Body> pack_block(const comm::Rank& rank, Front<T>& front, bool pack_lower);

/// The same as a copy, of any contribution.
template <class T>
std::pair<comm::Header, comm::Body> copy_block(const comm::Rank& rank, const Contribution<T>& c,
                                               bool pack_lower);

/// A contribution of another rank's front, as it comes in; the names stay for the solves.
template <class T>
class RemoteContribution {
 public:
  /// Keep one of the two parts of a whole front, what it delayed or its block, by the message's kind; a packed block is spread out again.
  /// Not on the books before count_in_ledger().
  void store_block_or_delayed(const comm::Rank& rank, comm::Message message);
  /// Keep some rows of the contribution block of a distributed front, and of its delayed columns.
  void store_piece(const comm::Rank& rank, const Piece<T>& piece, Index border);
  /// What was kept is on the books until release.
  void count_in_ledger(Ledger& ledger) { entry_.set(ledger, bytes()); }
  /// Puts the rows that came in pieces where they are expected.
  void add_rows_to(Contribution<T>& c) const;
  /// As after release, for factors from a file.
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
  std::vector<ContributionTile<T>> tiles_;  ///< views on the block, where it is in tiles
  BodyBuffer square_, cols_;                ///< of a distributed front: m x m, m x d
  Ledger::Entry entry_;
};

}  // namespace overlapack::sparse::multifrontal
