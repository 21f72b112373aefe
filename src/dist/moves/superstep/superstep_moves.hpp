#pragma once
#include "dist/moves/room.hpp"
#include "dist/moves/row_pair.hpp"
#include "dist/moves/superstep/lockstep.hpp"

#include <deque>

namespace overlapack::dist {

/// Ranks of a grid's processes, column by column, for a World.
std::vector<int> world_ranks(const ProcessGrid& grid);

/// The moves of an LU of A by puts into registered buffers. Every process of the grid takes part in every verb, since all
/// synchronise; those not involved call take_part_in_syncs.
///
/// | verb | supersteps |
/// |---|---|
/// | broadcast in q processes | two-phase: 0, 1, 2 for q = 1, 2, more |
/// | find_pivot, reduce_to_best_pivot of P processes | 1; reduce_to_best_pivot none for P = 1 |
/// | all_gather of q processes | 1; none for q = 1 |
/// | all_reduce of P processes | ceil(log2 P), one more where P is no power of two |
/// | interchange | 1, none where a process column is one process; pairwise 1 a row |
/// Source  paper 4, section 2
template <class T>
class SuperstepMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  /// Sync    one superstep
  /// is_known: all processes know the senders, so syncs need no census (sync_known)
  /// swap: direct, shared, or pairwise (a panel's rows in succession, a superstep each)
  /// panel_width: columns of a panel
  /// bodies: number of broadcast bodies that are held at the same time
  SuperstepMoves(comm::superstep::World& world, const DistributedMatrix<T>& A, bool is_known, SwapKind swap,
                 Index panel_width, int bodies = 2);

  /// From here on run slices of `work` between the halves of syncs; null: none.
  void set_work_between(WorkBetween* work) { step_.work = work; }

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  std::vector<comm::Body> all_gather(const Group& group, const Key& key, std::span<const std::size_t> bytes,
                                     comm::Body mine) override;
  void find_pivot(const Group& column, int process_column, const Key& key, PivotCandidate<T>& best) override;
  void reduce_to_best_pivot(const Group& column, const Key& key, PivotRow<T>& best) override;
  comm::Body all_reduce(const Group& group, const Key& key, comm::Body mine,
                        typename Moves<T>::Merge merge) override;
  void charge_pivot_search(const Group& column, const Key& key, Index columns, std::size_t bytes) override;
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override;
  std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T> also,
                                                              const Key& key) override;
  void take_part_in_syncs(Verb verb, const Group& group, Index times) override;
  Index columns_charged_together() const override;
  void repeat_verbs(Index times, comm::FunctionRef<void()> verbs) override;

 private:
  using Buffer = comm::superstep::RegisteredBuffers::Buffer;

  /// A buffer for the next body. Also held by this object until bodies_ later ones were requested, so that all processes get the
  /// same one, whether or not they still hold earlier bodies.
  std::shared_ptr<const Buffer> body_buffer();
  /// Release the oldest body buffer if all are in use.
  void make_room();
  /// World processes of a group, without this one.
  std::vector<int> others(const Group& group) const;

  Lockstep step_;
  const ProcessGrid& grid_;
  GridPosition me_;
  MoveRoom room_;
  std::size_t candidates_bytes_;
  SwapKind swap_;
  std::size_t bodies_;
  comm::superstep::RegisteredBuffers buffers_;
  std::deque<std::shared_ptr<const Buffer>> held_;  ///< buffers of the latest bodies, oldest first
};

}  // namespace overlapack::dist
