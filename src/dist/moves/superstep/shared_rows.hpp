#pragma once
#include "dist/moves/row_interchange.hpp"
#include "dist/moves/row_traffic.hpp"
#include "dist/moves/superstep/lockstep.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// All exchanges of a panel in one superstep, after which every process of the column has the block row: each process puts its
/// rows of the new block row to all others, and the owner puts the rows that leave the block row to their targets. The cycles of
/// paper 4, followed by a two-phase broadcast, need three supersteps.
/// Cost    at most (P - 1) count (end - begin) g + l, about 2 count (end - begin) g + l if the pivots are distributed evenly
template <class T>
class SharedRows final : public RowInterchange<T> {
 public:
  using Buffer = comm::superstep::RegisteredBuffers::Buffer;

  SharedRows(Lockstep step, const MovedRows<T>& rows, std::shared_ptr<const Buffer> buffer);
  MatrixView<T> finish() override;
  SwapKind kind() const override { return SwapKind::shared; }

 private:
  bool is_owner() const { return me_ == static_cast<std::size_t>(traffic_.owner); }
  std::size_t bytes(std::size_t rows) const {
    return rows * static_cast<std::size_t>(columns_.cols) * sizeof(T);
  }
  Index local(Index row) const { return rows_.local({row}).value; }
  comm::Body packed(const std::vector<Index>& from) const;
  void pack(const RowMoves& moves);
  void put();
  std::vector<int> senders() const;
  void unpack();

  Lockstep step_;
  BlockCyclic rows_;
  std::vector<int> processes_;  ///< processes of my process column
  std::size_t me_;
  MatrixView<T> columns_;
  Index first_, count_;
  RowTraffic traffic_;
  std::vector<Index> to_;         ///< local rows that get rows which leave the block row
  comm::Body into_;               ///< this process's rows of the new block row
  std::vector<comm::Body> away_;  ///< on the owner: by position, the rows that leave the block row for it
  std::shared_ptr<const Buffer> buffer_;
  std::vector<T> U_;  ///< the block row, except on its owner
  MatrixView<T> block_;
};

}  // namespace overlapack::dist
