#pragma once
#include "dist/moves/row_exchange.hpp"
#include "dist/moves/row_interchange.hpp"
#include "dist/moves/superstep/lockstep.hpp"

namespace overlapack::dist {

/// All exchanges of a panel in one superstep, as the cycles of their permutation, so that each row moves once: inside a process
/// by a copy, to another process by a put into its buffer. The block row stays with its owner.
/// Cost    max(rows received, rows sent) (end - begin) g + l
/// Source  paper 4, section 2.3
template <class T>
class CycleInterchange final : public RowInterchange<T> {
 public:
  using Buffer = comm::superstep::RegisteredBuffers::Buffer;

  CycleInterchange(Lockstep step, const MovedRows<T>& rows, std::shared_ptr<const Buffer> buffer);
  MatrixView<T> finish() override;
  SwapKind kind() const override { return SwapKind::direct; }

 private:
  void pack();
  void put();
  void unpack();

  Lockstep step_;
  std::vector<int> processes_;  ///< processes of my process column
  int me_;
  MatrixView<T> columns_, block_;
  RowExchange exchange_;
  std::vector<comm::Body> packed_;  ///< by position
  std::shared_ptr<const Buffer> buffer_;
};

}  // namespace overlapack::dist
