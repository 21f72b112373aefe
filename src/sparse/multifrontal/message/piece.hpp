#pragma once
#include "base/matrix_view.hpp"
#include "comm/rank.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <span>
#include <utility>

namespace overlapack::sparse::multifrontal {

/// A rectangle of a front's contribution block, on its way to the rank that holds these rows in the parent.
/// Symmetric matrices: only its part in the lower triangle has a meaning.
template <class T>
struct Piece {
  Index front = -1;
  Index first_row = 0, first_col = 0;
  MatrixView<const T> block;    ///< rows x columns of the contribution block
  MatrixView<const T> delayed;  ///< LU: the same rows of the delayed columns
  bool is_for_strip = false;    ///< for a strip of the parent, else for the parent's owner

  Index end_row() const { return first_row + block.rows; }
  Index end_col() const { return first_col + block.cols; }

  std::pair<comm::Header, comm::Body> pack(const comm::Rank& rank) const;
  /// Views on the message, which must outlive them.
  static Piece parse(const comm::Message& message);
};

/// target(row_position[i], col_position[j]) += piece(i, j); both maps count from the front's first border row. With `lower`, only
/// i >= j: the maps ascend, and it is the target's lower triangle.
template <class T>
void add_piece(const Piece<T>& piece, bool lower, const std::int32_t* row_position,
               const std::int32_t* col_position, MatrixView<T> target);

}  // namespace overlapack::sparse::multifrontal
