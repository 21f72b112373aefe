#pragma once
#include "dist/bsp2d/bsp2d.hpp"
#include "dist/moves/moves.hpp"

namespace overlapack::dist {

/// The moves of Cholesky and of triangular solves on BSP2D; LU, whose sizes are known in advance, has its own
/// (superstep_moves.hpp).
/// A group is a process row, a process column or the grid.
///
/// | verb | supersteps |
/// |---|---|
/// | broadcast among q processes | two-phase: 0, 1, 2 for q = 1, 2, more; the first superstep is under way until finish() |
/// | sum_to_root, all_gather among q processes | 1; none for q = 1 |
template <class T>
class Bsp2dMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  explicit Bsp2dMoves(Bsp2d& bsp) : Moves<T>(bsp.world().rank(), Discipline::superstep), bsp_(bsp) {}

  /// No other verb may be used until this broadcast is finished.
  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  void sum_to_root(const Group& group, int root, const Key& key, std::vector<T>& x) override;
  std::vector<comm::Body> all_gather(const Group& group, const Key& key, std::span<const std::size_t> bytes,
                                     comm::Body mine) override;
  void take_part_in_syncs(Verb verb, const Group& group, Index times) override;

  void reduce_to_best_pivot(const Group&, const Key&, PivotRow<T>&) override {
    this->refuse("pivots on BSP2D");
  }
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>&, const Key&) override {
    this->refuse("interchanges on BSP2D");
  }

 private:
  GridPosition member(const Group& group, int position) const {
    return bsp_.grid().position_of(group.ranks[static_cast<std::size_t>(position)]);
  }

  Bsp2d& bsp_;
};

}  // namespace overlapack::dist
