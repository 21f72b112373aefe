#pragma once
#include "dist/moves/messages/gather.hpp"
#include "dist/moves/row_interchange.hpp"
#include "dist/moves/row_traffic.hpp"

namespace overlapack::dist {

/// Interchange after which all processes of the column have the block row. The owner of the block row sends each process the rows
/// that leave the block row for it. The processes gather the rows that enter it (gather.hpp).
/// Shapes  the block row rows.moves.first .. first + count - 1 is on one process
/// Cost    one message from the owner to each process that gets rows, and then, by each process,
///         binary_exchange: ceil(log2 P) messages, (1 - 1 / P) count (end - begin) words in all;
///         spread_roll: P - 1 messages of a P-th of count (end - begin) words
/// Source  HPL's pdlaswp00 (binary exchange), pdlaswp01 (spread-roll). HPL sends the rows that leave the block row through other
///         processes, by halving; here no process must be inside the library to forward them
template <class T>
class SharedInterchange final : public RowInterchange<T> {
 public:
  /// kind: binary_exchange or spread_roll
  SharedInterchange(comm::Exchange& exchange, const MovedRows<T>& rows, SwapKind kind, const comm::Key& key);
  MatrixView<T> finish() override;
  SwapKind kind() const override { return kind_; }

 private:
  bool is_phantom() const { return exchange_.rank().capabilities().is_phantom; }
  bool is_owner() const { return column_.me == traffic_.owner; }
  Index local(Index row) const { return rows_.local({row}).value; }
  std::size_t bytes(std::size_t rows) const {
    return rows * static_cast<std::size_t>(columns_.cols) * sizeof(T);
  }
  /// Number of rows that a process sends into the gather, and that the owner sends to it.
  std::size_t rows_from(std::size_t position) const {
    return traffic_.into[position].size() + traffic_.lent[position].size();
  }
  std::size_t rows_to(std::size_t position) const {
    return traffic_.away[position].size() + traffic_.lent[position].size();
  }
  MatrixView<const T> view(const comm::Body& body, std::size_t rows) const;

  void copy_own_rows(const RowMoves& moves);
  std::vector<comm::Body> packed_for_all(const RowMoves& moves) const;
  std::unique_ptr<Gather> make_gather(SwapKind kind, comm::Key key) const;
  void send_displaced_rows(std::vector<comm::Body>&& bodies, comm::Key key);
  void post_displaced_rows(comm::Key key);
  void start_gather();
  /// A's rows below the block <- those displaced from it, from the bodies that arrived.
  void store_displaced_rows();
  MatrixView<T> store_block_row();

  comm::Exchange& exchange_;
  SwapKind kind_;
  BlockCyclic rows_;
  comm::collective::Group column_;
  MatrixView<T> columns_;
  RowTraffic traffic_;
  Index first_, count_;    ///< the block row
  std::vector<Index> to_;  ///< local rows that receive rows leaving the block
  comm::Body away_;        ///< those rows, then the rows lent to this process
  bool is_away_here_ = true, is_gathering_ = false;
  std::vector<T> mine_;  ///< this process's piece of the block row
  std::unique_ptr<Gather> gather_;
  std::vector<T> U_;
};

}  // namespace overlapack::dist
