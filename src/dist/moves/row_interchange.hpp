#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "dist/moves/row_moves.hpp"
#include "overlapack/choices.hpp"

namespace overlapack::dist {

using overlapack::SwapKind;

/// Whether U is on its owner only afterwards (paper 2's task 5 broadcasts it), not on all processes of the column.
constexpr bool leaves_rows_with_owner(SwapKind kind) {
  return kind == SwapKind::direct || kind == SwapKind::pairwise;
}

/// The rows that interchanges move, in the local columns [begin, end) of A.
template <class T>
struct MovedRows {
  const DistributedMatrix<T>& A;
  const RowMoves& moves;
  Index begin, end;

  MatrixView<T> columns() const { return A.local.block(0, begin, A.local.rows, end - begin); }
};

/// Interchanges under way; polls advance them.
template <class T>
class RowInterchange {
 public:
  virtual ~RowInterchange() = default;
  /// Wait until A's rows are in place, and return U, count x (end - begin), on every process of the column, or
  /// (leaves_rows_with_owner) on its owner only and empty elsewhere. Called once, before this is destroyed. On its owner U is the
  /// block row in A itself; elsewhere it has storage and a leading dimension of its own.
  virtual MatrixView<T> finish() = 0;
  /// How the rows are moved; never mix.
  virtual SwapKind kind() const = 0;
};

}  // namespace overlapack::dist
