#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"
#include "sparse/multifrontal/factorize/small_fronts.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/low_rank_front.hpp"

#include <functional>
#include <map>
#include <utility>

namespace overlapack::sparse::multifrontal {

/// Fronts that are whole on their owner: a task is a single front, or small subtrees in one event. Other
/// ranks may take slices of large fronts. eliminate_front has the steps of the method.
/// Source  paper 1, section 2 (type 1 nodes)
template <class T>
class WholeFronts final : public FrontKind<T> {
 public:
  /// count_work_done: called with the flops of a task that is done
  /// largest: magnitude of the largest entry of B
  WholeFronts(const FrontContext<T>& here, const PivotTest<T>& test, double largest,
              std::function<void(double)> count_work_done);

  void add_waits_of_front(Index f) override;
  bool start(Index task) override;
  void send_contribution_when_final(Index f) override;
  bool has_positions_for(Index) const override { return true; }  // at its owner
  void send_rows(const Piece<T>& rows) override;
  void on_message(comm::Message piece) override;

  const LowRankTally& low_rank() const { return low_rank_.tally(); }

 private:
  /// Do f as an event of its own, or inside the event of a small subtree.
  template <class F>
  void compute_as_event(const comm::Work& work, F&& f);
  void eliminate_front(Index f);
  Front<T>& assemble(Index f);
  void eliminate(Front<T>& front);
  Elimination compress(Front<T>& front);
  void hold_block(Front<T>& front);
  void update(Front<T>& front);
  void add_children(Front<T>& front);
  /// Is front f large enough for tasks on tiles? A simulated rank takes none: it charges the steps of
  /// FrontSteps instead. Neither does a compressed front.
  bool may_use_tiles(Index f) const;
  void eliminate_by_tiles(Index f);
  void compress_block(Front<T>& front);
  /// For a front whose parent is another rank's.
  void send_contribution(Front<T>& front);

  const FrontContext<T> here_;
  Eliminator<T> eliminator_;
  SmallFronts<T> small_;
  LowRankFront<T> low_rank_;
  std::function<void(double)> worked_;
  const PivotTest<T> test_;
  const bool is_phantom_;
  const Index least_tiled_border_;
  const bool cuts_fronts_;  ///< cut long fronts into slices: others send messages meanwhile, or take some
  bool inside_subtree_ = false;       ///< several fronts run as one event
  std::map<Index, Index> rows_left_;  ///< child in strips -> its rows on their way to this rank
};

}  // namespace overlapack::sparse::multifrontal
