#pragma once
#include "dist/moves/row_interchange.hpp"
#include "dist/moves/row_traffic.hpp"
#include "dist/moves/superstep/lockstep.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// All exchanges of a panel in one superstep that leaves the block row on every process of the column: each puts what will be in it
/// to all others, and its owner what leaves it to where that belongs. The cycles of paper 4 and a two-phase broadcast are three.
/// Cost    at most (P - 1) count (end - begin) g + l, about 2 count (end - begin) g + l where pivots are distributed evenly
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
  std::vector<int> processes_;  ///< of my process column
  std::size_t me_;
  MatrixView<T> columns_;
  Index first_, count_;
  RowTraffic traffic_;
  std::vector<Index> to_;         ///< my rows that get what leaves the block
  comm::Body into_;               ///< what I have of the block row
  std::vector<comm::Body> away_;  ///< the owner: what leaves it, by position
  std::shared_ptr<const Buffer> buffer_;
  std::vector<T> U_;  ///< the block row, where it does not stand in A
  MatrixView<T> block_;
};

}  // namespace overlapack::dist
