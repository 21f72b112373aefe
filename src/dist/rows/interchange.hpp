#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <memory>
#include <span>
#include <vector>

namespace overlapack::dist {

/// How rows are interchanged among the processes of a column (HPL.dat's SWAP 0, 1, 2).
enum class SwapKind : std::uint8_t {
  binary_exchange,  ///< log2 P rounds with partners at distance 1, 2, 4, ...; every process ends with all of U
  spread_roll,      ///< the owner spreads, U's rows then roll round a ring; longer, less per message
  mix,              ///< binary exchange up to a number of columns, spread-roll above
  direct,  ///< each row straight to where it belongs, one message a pair; U stays with its owner (paper 2's task 5
           ///< broadcasts it)
};

/// The interchanges of one panel, or of several in a row, worked out: which rows come into its block row and which go where.
/// pivots[i] is the global row that was exchanged with row first + i, in the order of elimination (LAPACK's ipiv from 0).
struct RowMoves {
  Index first = 0, count = 0;
  /// After all exchanges row first + i holds what was row into[i].
  std::vector<Index> into;
  /// The other rows that changed: row[k] holds what was row first + from_block[k].
  std::vector<Index> row, from_block;

  /// visit(to, from) for each row that changes: `to` gets what was in `from`.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (Index i = 0; i < count; ++i)
      if (const Index from = into[static_cast<std::size_t>(i)]; from != first + i) visit(first + i, from);
    for (std::size_t k = 0; k < row.size(); ++k) visit(row[k], first + from_block[k]);
  }
};
RowMoves row_moves(Index first, std::span<const Index> pivots);

/// Interchanges under way on the local columns [c0, c1) of A, and on the rows of `also` (same local rows as A: the
/// previous panel's L in the parity schedule; may be empty).
template <class T>
class RowInterchange {
 public:
  virtual ~RowInterchange() = default;
  /// Wait; then A's rows are in place. Called once, before this is dropped. For all kinds but direct U, count x (c1 - c0),
  /// is on every process of the column, otherwise on its owner alone and empty elsewhere. Where A holds it, U is the
  /// block row in A itself.
  virtual MatrixView<T> finish() = 0;
  /// How the rows travel: never mix.
  virtual SwapKind kind() const = 0;
};

/// Start one; goes on in polls.
/// Shapes  columns: local, c0 <= c1; U has the leading dimension of its own storage; key: its part and piece are the
///         interchange's; rows moves.first .. + count: of one process unless the kind is direct
/// Sync    collective over my process column; never blocks
/// Cost    for P = 1 no message, rows are moved at once and each once. Else
///         direct: one message from each process to each that gets rows of it, each row once;
///         the others: the owner sends each process the rows that leave the block, one message, and then
///         binary_exchange: ceil(log2 P) messages sent by each, (1 - 1 / P) count (c1 - c0) words in all;
///         spread_roll: P - 1 of a P-th of count (c1 - c0) words sent by each
/// Errors  BadPlan when `also` has columns and the kind is not direct
/// Source  HPL's pdlaswp00 (binary exchange), pdlaswp01 (spread-roll); paper 4, section 2.3 (cycles instead of exchanges).
///         HPL sends what leaves the block through others, by halves; here nobody has to be in the library to pass it on
template <class T>
std::unique_ptr<RowInterchange<T>> start_interchange(comm::Exchange& exchange, const DistributedMatrix<T>& A,
                                                     const RowMoves& moves, Index c0, Index c1,
                                                     MatrixView<T> also, SwapKind kind, Index mix_columns,
                                                     const comm::Key& key);

}  // namespace overlapack::dist
