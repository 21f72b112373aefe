#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "dist/moves/row_moves.hpp"

namespace overlapack::dist {

/// How rows are interchanged among the processes of a column (HPL.dat's SWAP 0, 1, 2).
enum class SwapKind : std::uint8_t {
  binary_exchange,  ///< log2 P rounds with partners at distance 1, 2, 4, ...; every process ends with all of U
  spread_roll,      ///< the owner spreads, U's rows then roll round a ring; longer, less per message
  mix,              ///< binary exchange up to a number of columns, spread-roll above
  direct,  ///< each row straight to where it belongs, one message a pair; U stays with its owner (paper 2's task 5
           ///< broadcasts it)
};

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
  /// Wait; then A's rows are in place. Called once, before this is dropped. For all kinds but direct U, count x (end -
  /// begin), is on every process of the column, otherwise on its owner alone and empty elsewhere. Where A holds it, U is
  /// the block row in A itself; else it has the leading dimension of its own storage.
  virtual MatrixView<T> finish() = 0;
  /// How the rows travel: never mix.
  virtual SwapKind kind() const = 0;
};

}  // namespace overlapack::dist
