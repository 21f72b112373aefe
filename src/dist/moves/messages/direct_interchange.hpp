#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/moves/row_exchange.hpp"
#include "dist/moves/row_interchange.hpp"

namespace overlapack::dist {

/// Interchange that moves each row directly to its target: inside a process at once and in place, between two processes in one
/// message. The rows may be on any processes.
/// Cost    one message for each pair of processes between which rows move, each row once; none for P = 1
/// Source  paper 4, section 2.3 (cycles instead of exchanges)
template <class T>
class DirectInterchange final : public RowInterchange<T> {
 public:
  /// also: a second matrix with A's local rows, or none
  DirectInterchange(comm::Exchange& exchange, const MovedRows<T>& rows, MatrixView<T> also,
                    const comm::Key& key);
  MatrixView<T> finish() override;
  SwapKind kind() const override { return SwapKind::direct; }

 private:
  std::vector<comm::Body> move_own_rows();
  comm::Body packed(const std::vector<Index>& rows) const;
  void unpack(const comm::Body& body, const std::vector<Index>& rows);
  void store_rows_when_here(std::size_t from, const comm::Key& key);

  comm::Exchange& exchange_;
  comm::collective::Group column_;
  MatrixView<T> columns_, also_;
  MatrixView<T> block_;  ///< the block row, if all of it is on this process
  RowExchange rows_;
  std::vector<comm::Body> arrived_;
  int missing_ = 0;
};

}  // namespace overlapack::dist
