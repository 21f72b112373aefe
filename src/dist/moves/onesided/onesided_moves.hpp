#pragma once
#include "comm/onesided/direct_broadcasts.hpp"
#include "dist/moves/moves.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "dist/moves/onesided/onesided_plan.hpp"

#include <memory>

namespace overlapack::dist {

/// The moves of an LU as puts and gets into the memory of others, which call nothing for it.
///
/// | verb | synchronisations of a pair |
/// |---|---|
/// | broadcast | direct: the root says that its body is there, all get it at once, and say that they have |
/// | start_block | the same of what travels before the block, which is read where it stands in A, if it is within reach and is to stay |
/// | find_pivot, combine_pivots | all put what they have to all others of the column |
/// | combine of P processes | each puts its body to its partner of a round: ceil(log2 P), one more where P is no power of two |
/// | interchange | 2, or 3 where generic: of a panel, or, pairwise, of a row |
///
/// Other moves may take over searches and broadcasts: in paper 3's library searches were messages, and, at first, broadcasts.
/// Source  paper 3, section 2
template <class T>
class OnesidedMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  /// search, broadcasts: of others, or null
  /// Sync    collective over the team
  OnesidedMoves(comm::Rank& rank, LentMatrix<T>& A, const OnesidedPlan& plan, Moves<T>* search,
                Moves<T>* broadcasts);

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  std::unique_ptr<BlockBroadcast<T>> start_block(const Group& group, int root, const Key& key,
                                                 std::size_t head_bytes, const comm::Body& head,
                                                 const LocalBlock& at, MatrixView<const T> mine) override;
  void wait_for_readers(const Group& group) override;
  void find_pivot(const Group& column, int process_column, const Key& key, PivotCandidate<T>& best) override;
  void combine_pivots(const Group& column, const Key& key, PivotRow<T>& best) override;
  comm::Body combine(const Group& group, const Key& key, comm::Body mine,
                     typename Moves<T>::Merge merge) override;
  void charge_pivots(const Group& column, const Key& key, Index columns, std::size_t bytes) override;
  /// rows.A: the lent matrix
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override;
  std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T> also,
                                                              const Key& key) override;
  /// Exchanges of rows with another process so far.
  Index row_swaps() const { return row_swaps_; }
  /// Blocks of others so far that were read where they stand, and that came as copies.
  Index read_in_place() const { return read_in_place_; }
  Index copied() const { return copied_; }

 private:
  class Interchange;
  class BlockInPlace;
  /// Where things stand in the window: alike on all ranks, each part twice, so that the next use need not wait. Bodies of
  /// process rows and of process columns are apart, since only those of one group count alike.
  struct Positions {
    std::size_t pivot_bytes, offer_bytes, body_bytes, row_bytes;
    std::size_t pivots, offers, bodies, rows, end;
  };
  Positions positions_for(const DistributedMatrix<T>& A) const;
  bool is_row(const Group& group) const {
    return group.ranks == A_.view().grid->row_group(A_.view().me).ranks;
  }
  std::unique_ptr<comm::Window> window_for(comm::Rank& rank) const;
  /// A body comes, framed, to a position of another one's window.
  void put_body(int to, std::size_t position, const comm::Body& body);
  /// What each of the column has, in its bytes, comes to all others of it: take(bytes) of each.
  void put_to_all(const Group& column, std::span<const std::byte> mine,
                  comm::FunctionRef<void(const std::byte*)> take);

  LentMatrix<T>& A_;
  OnesidedPlan plan_;
  Moves<T>*search_, *broadcasts_;
  Positions positions_;
  std::unique_ptr<comm::Window> window_;
  comm::onesided::Signals signals_;
  comm::onesided::DirectBroadcasts in_row_, in_column_;  ///< of my process row and of my process column
  std::int64_t searches_ = 0, combined_ = 0;
  Index row_swaps_ = 0, read_in_place_ = 0, copied_ = 0;
};

}  // namespace overlapack::dist
