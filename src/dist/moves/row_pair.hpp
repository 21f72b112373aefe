#pragma once
#include "dist/moves/moves.hpp"

namespace overlapack::dist {

/// A(i, begin:end) <-> A(j, begin:end), in local columns. If both rows are in one process row, there is no communication.
/// Sync    the owners of the two rows, in each process column; in lockstep all processes of the grid, unless both rows are in one
///         process row
/// Source  paper 4, section 2: PSSWAP
template <class T>
void swap_pair(Moves<T>& moves, const DistributedMatrix<T>& A, Index i, Index j, Index begin, Index end,
               const comm::Key& key) {
  if (i == j) return;
  const bool is_owner = A.owns_row({i});
  if (A.rows.owner({i}) != A.rows.owner({j})) {
    if (!moves.is_lockstep() && !is_owner && !A.owns_row({j})) return;
    const RowMoves pair = row_moves(i, std::span(&j, 1));
    moves.start_direct_interchange({A, pair, begin, end}, {}, key)->finish();
  } else if (is_owner && end > begin) {
    const MatrixView<T> a = A.local.block(A.rows.local({i}).value, begin, 1, end - begin),
                        b = A.local.block(A.rows.local({j}).value, begin, 1, end - begin);
    moves.rank().compute({.kind = "swap", .bytes = 4.0 * static_cast<double>(a.cols) * sizeof(T)}, [&] {
      for (Index c = 0; c < a.cols; ++c) std::swap(a(0, c), b(0, c));
    });
  }
}

/// The exchanges of a panel one after the other: the baseline with which papers 3 and 4 compare.
/// Cost    a message each way, or a superstep, for each row whose partner is in another process row
/// Source  ScaLAPACK's PxLASWP
template <class T>
class PairwiseInterchange final : public RowInterchange<T> {
 public:
  PairwiseInterchange(Moves<T>& moves, const MovedRows<T>& rows, const comm::Key& key)
      : moves_(moves), rows_(rows), key_(key) {}

  MatrixView<T> finish() override {
    const RowMoves& moved = rows_.moves;
    comm::Key key = key_;
    for (Index i = 0; i < moved.count; ++i) {
      key.part = i;
      swap_pair(moves_, rows_.A, moved.first + i, moved.pivots[static_cast<std::size_t>(i)], rows_.begin,
                rows_.end, key);
    }
    const Index begin = rows_.A.first_row({moved.first}),
                end = rows_.A.first_row({moved.first + moved.count});
    return end - begin == moved.count ? rows_.columns().block(begin, 0, moved.count, rows_.end - rows_.begin)
                                      : MatrixView<T>{};
  }
  SwapKind kind() const override { return SwapKind::pairwise; }

 private:
  Moves<T>& moves_;
  MovedRows<T> rows_;
  comm::Key key_;
};

}  // namespace overlapack::dist
