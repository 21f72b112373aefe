#pragma once
#include "comm/onesided/direct_broadcasts.hpp"
#include "dist/moves/moves.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "dist/moves/onesided/offers.hpp"
#include "dist/moves/onesided/onesided_plan.hpp"

#include <memory>

namespace overlapack::dist {

/// The moves of an LU by puts and gets, in which the target makes no calls.
///
/// | verb | synchronisations of a pair |
/// |---|---|
/// | broadcast | direct: the root signals that its body is ready, the others get it at once, and signal that they have it |
/// | start_block | a broadcast of the head; receivers read the block itself in place in A if possible |
/// | find_pivot, reduce_to_best_pivot | each process puts its candidate to all others of the column |
/// | all_reduce of P processes | in each round a process puts its body to its partner: ceil(log2 P), one more if P is no power of
/// two | | interchange | 2 (generic: 3) for the rows of a panel, or, pairwise, for each row |
///
/// Searches and broadcasts may be delegated to other moves, because paper 3's library did searches, and at first broadcasts, by
/// messages.
/// Source  paper 3, section 2
template <class T>
class OnesidedMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  /// search, broadcasts: moves to delegate to, or null
  /// Sync    collective over the team
  OnesidedMoves(comm::Rank& rank, LentMatrix<T>& A, const OnesidedPlan& plan, Moves<T>* search,
                Moves<T>* broadcasts);

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  std::unique_ptr<BlockBroadcast<T>> start_block(const Group& group, int root, const Key& key,
                                                 const BlockHead& head, const LocalBlock& at,
                                                 MatrixView<const T> mine) override;
  void wait_for_readers(const Group& group) override;
  void find_pivot(const Group& column, int process_column, const Key& key, PivotCandidate<T>& best) override;
  void reduce_to_best_pivot(const Group& column, const Key& key, PivotRow<T>& best) override;
  comm::Body all_reduce(const Group& group, const Key& key, comm::Body mine,
                        typename Moves<T>::Merge merge) override;
  void charge_pivot_search(const Group& column, const Key& key, Index columns, std::size_t bytes) override;
  /// rows.A: the lent matrix
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override;
  std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T> also,
                                                              const Key& key) override;
  /// Number of exchanges of rows with another process so far.
  Index row_swaps() const { return row_swaps_; }
  /// Number of blocks of other ranks so far that were read in place, or received as copies.
  Index read_in_place() const { return read_in_place_; }
  Index copied() const { return copied_; }

 private:
  class Interchange;
  class BlockInPlace;
  /// Offsets in window_, the same on all ranks. The buffers of pivots and offers exist twice, so that the next use need not wait.
  /// bodies_ has two buffers for process rows and two for process columns, since only ranks of one group count their broadcasts
  /// the same.
  struct Positions {
    std::size_t pivot_bytes, offer_bytes, body_bytes, row_bytes;
    std::size_t pivots, offers, rows, end;
  };
  Positions positions_for(const DistributedMatrix<T>& A) const;
  std::unique_ptr<comm::Window> window_for(comm::Rank& rank, std::size_t bytes) const;
  /// Put `mine` to all others of the column, and call take(bytes) for what each of the others has put here.
  void put_to_column(const Group& column, std::span<const std::byte> mine,
                     comm::FunctionRef<void(const std::byte*)> take);

  LentMatrix<T>& A_;
  OnesidedPlan plan_;
  Moves<T>*search_, *broadcasts_;
  Positions positions_;
  std::unique_ptr<comm::Window> window_, bodies_;
  comm::onesided::Signals signals_, ready_;
  Offers offers_;
  comm::onesided::DirectBroadcasts in_row_, in_column_;  ///< for my process row and my process column
  std::int64_t searches_ = 0;
  Index row_swaps_ = 0, read_in_place_ = 0, copied_ = 0;
};

}  // namespace overlapack::dist
