#pragma once
#include "dist/moves/room.hpp"
#include "dist/moves/row_pair.hpp"
#include "dist/moves/superstep/lockstep.hpp"

#include <deque>

namespace overlapack::dist {

/// The processes of a grid as those of a world, column by column.
std::vector<int> world_ranks(const ProcessGrid& grid);

/// The moves of an LU of A as puts into registered buffers. Every process of the grid goes through every verb, since all
/// synchronise; those without a part in it stand by.
///
/// | verb | supersteps |
/// |---|---|
/// | broadcast in q processes | two-phase: 0, 1, 2 for q = 1, 2, more |
/// | find_pivot, combine_pivots of P processes | 1; combine_pivots none for P = 1 |
/// | share of q processes | 1; none for q = 1 |
/// | combine of P processes | ceil(log2 P), one more where P is no power of two |
/// | interchange | 1, none where a process column is one process; pairwise 1 a row |
/// Source  paper 4, section 2
template <class T>
class SuperstepMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  /// Sync    one superstep
  /// is_known: everybody knows what comes, and no sync asks (sync_known)
  /// swap: direct, shared, or pairwise: the rows that a panel exchanges one after the other, a superstep each
  /// panel_width: columns of a panel
  /// bodies: of broadcasts, that are held at the same time
  SuperstepMoves(comm::superstep::World& world, const DistributedMatrix<T>& A, bool is_known, SwapKind swap,
                 Index panel_width, int bodies = 2);

  /// From here on the halves of syncs are apart, and slices of the work are done between them; null: no more.
  void compute_between(WorkBetween* work) { step_.work = work; }

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  std::vector<comm::Body> share(const Group& group, const Key& key, std::span<const std::size_t> bytes,
                                comm::Body mine) override;
  void find_pivot(const Group& column, int process_column, const Key& key, PivotCandidate<T>& best) override;
  void combine_pivots(const Group& column, const Key& key, PivotRow<T>& best) override;
  comm::Body combine(const Group& group, const Key& key, comm::Body mine,
                     typename Moves<T>::Merge merge) override;
  void charge_pivots(const Group& column, const Key& key, Index columns, std::size_t bytes) override;
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override;
  std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T> also,
                                                              const Key& key) override;
  void stand_by(Verb verb, const Group& group, Index times) override;
  Index columns_together() const override;
  void repeat(Index times, comm::FunctionRef<void()> verbs) override;

 private:
  using Buffer = comm::superstep::RegisteredBuffers::Buffer;

  /// A buffer for the next body. It is this object's as well, until as many were asked for after it as there are, so that all
  /// have the same one, whether they hold what came in it or not.
  std::shared_ptr<const Buffer> body_buffer();
  /// One of them is free from here on.
  void make_room();
  /// Those of a group, without me, as processes of the world.
  std::vector<int> others(const Group& group) const;

  Lockstep step_;
  const ProcessGrid& grid_;
  GridPosition me_;
  MoveRoom room_;
  std::size_t candidates_bytes_;
  SwapKind swap_;
  std::size_t bodies_;
  comm::superstep::RegisteredBuffers buffers_;
  std::deque<std::shared_ptr<const Buffer>> held_;  ///< of the latest bodies
};

}  // namespace overlapack::dist
