#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "dist/moves/row_moves.hpp"
#include "overlapack/choices.hpp"

namespace overlapack::dist {

using overlapack::SwapKind;

/// Whether the interchange leaves the block row on its owner only, so that U must be broadcast afterwards (paper 2's task 5),
/// instead of bringing it to all processes of the column.
constexpr bool leaves_rows_with_owner(SwapKind kind) {
  return kind == SwapKind::direct || kind == SwapKind::pairwise;
}

/// Rows to be moved, in the local columns [begin, end) of A.
template <class T>
struct MovedRows {
  const DistributedMatrix<T>& A;
  const RowMoves& moves;
  Index begin, end;

  MatrixView<T> columns() const { return A.local.block(0, begin, A.local.rows, end - begin); }
};

/// An interchange of rows under way; polls advance it.
template <class T>
class RowInterchange {
 public:
  virtual ~RowInterchange() = default;
  /// Wait until A's rows are in place, and return the block row, count x (end - begin). On its owner, that is the block row in A
  /// itself. On the other processes of the column it has storage and a leading dimension of its own, or, if leaves_rows_with_owner,
  /// is empty. Must be called once before this object is destroyed.
  virtual MatrixView<T> finish() = 0;
  /// How the rows are moved; never SwapKind::mix.
  virtual SwapKind kind() const = 0;
};

}  // namespace overlapack::dist
