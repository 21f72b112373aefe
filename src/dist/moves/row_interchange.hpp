#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "dist/moves/row_moves.hpp"
#include "overlapack/choices.hpp"

namespace overlapack::dist {

using overlapack::SwapKind;

/// U is on its owner alone afterwards (paper 2's task 5 broadcasts it), not on all processes of the column.
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

/// Interchanges under way; they go on in polls.
template <class T>
class RowInterchange {
 public:
  virtual ~RowInterchange() = default;
  /// Wait; then A's rows are in place. Called once, before this is dropped. U, count x (end - begin), is on every process of
  /// the column, or (leaves_rows_with_owner) on its owner alone and empty elsewhere. Where A holds it, U is
  /// the block row in A itself; else it has the leading dimension of its own storage.
  virtual MatrixView<T> finish() = 0;
  /// How the rows travel: never mix.
  virtual SwapKind kind() const = 0;
};

}  // namespace overlapack::dist
