#pragma once
#include "comm/message.hpp"
#include "sparse/multifrontal/front.hpp"
#include "sparse/multifrontal/piece.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// The messages of the factorisation and the forward solve; docs/multifrontal-protocol.md says who sends which when.
/// id 2 of the header is the front that a message is about.
enum MessageKind : std::int32_t {
  delayed_part = 1,    ///< ids 3 = d (delayed), 4 = m (border), 5 = has columns
  block_part,          ///< ids 3 = d, 4 = m, 5 = 1 if the block is a packed lower triangle
  solve_part,          ///< right-hand side or solution of a contribution
  strip_list,          ///< child's master to parent's: who holds the child's border rows
  strip_description,   ///< master to all ranks: your strip, or that you have none
  parent_strips,       ///< parent's master to whoever holds rows of a child: where they go
  contribution_piece,  ///< rows of a child to the rank that holds them in the parent; id 3 = in a strip of it
  panel_part,          ///< master to strips: ids 3 = first pivot, 4 = pivots, 5 = is the last; the body begins with the
                       ///< ranks that pass it on, none where the master sends to each
  strip_rhs,           ///< forward solve, master to strips: y of the front's pivots
  root_description,    ///< owner of the grid root to all ranks: its order, names, your original entries
  root_piece,          ///< part of a child's matrix to where it stands on the grid; id 3 = 1 if only its lower triangle
  strip_sum,           ///< forward solve, strip to parent's master: ids 3 = first row, 4 = rows
};

/// The delayed variables of a front: row names, column names, square, rows, cols (LU only), one after the other. Where
/// the contribution has no square, the names alone.
template <class T>
std::pair<comm::Header, comm::Body> pack_delayed(const Contribution<T>& c);

/// The block of a front, which gives it up: handed over as it is where memory is shared or the matrix unsymmetric,
/// else packed by columns of its lower triangle.
template <class T>
std::pair<comm::Header, comm::Body> pack_block(Front<T>& front, bool pack_lower);

/// A contribution of another rank's front, as it comes in; the names stay for the solves.
template <class T>
class RemoteContribution {
 public:
  /// Keep a message; a packed block is spread out again.
  void take(comm::Message message);
  /// Keep some rows of the contribution block of a distributed front, and of its delayed columns.
  void take_piece(const Piece<T>& piece, Index border);
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
  std::size_t bytes() const {
    return delayed_.size() + block_.size() + (square_.size() + cols_.size()) * sizeof(T);
  }

  const std::vector<std::int32_t>& row_name() const { return row_name_; }
  const std::vector<std::int32_t>& col_name() const { return col_name_; }

 private:
  Index front_ = -1, border_ = 0;
  bool has_cols_ = false;
  std::vector<std::int32_t> row_name_, col_name_;  ///< of the delayed variables
  comm::Body delayed_, block_;
  std::vector<T> square_, cols_;  ///< of a distributed front: m x m, m x d
};

}  // namespace overlapack::sparse
