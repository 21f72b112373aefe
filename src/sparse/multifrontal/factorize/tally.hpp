#pragma once
#include "sparse/factors/factor_watch.hpp"
#include "sparse/factors/pivot_check.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/low_rank_tally.hpp"

namespace overlapack::sparse::multifrontal {

/// What one rank has done in a factorisation: its figures, the check of its pivots, and the progress that the
/// caller hears of.
template <class T>
class Tally {
 public:
  Tally(const comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries, const FactorPlan& plan,
        const FactorWatch& watch);

  /// Count an eliminated front: its pivots, and `flops` of those predicted for this rank as done.
  /// Errors  as check_pivots; Singular where a root has variables left that are not replaced
  void count_front(Front<T>& front, const Elimination& done, double flops);
  /// Add the figures of the compressed fronts of this rank.
  void add(const LowRankTally& fronts);
  PivotCheck<T>& pivots() { return pivots_; }

  /// Add to the flops that are expected of all ranks of the process: the constructor counts this rank's
  /// fronts.
  void add_expected_flops(double flops) { work_->expected.add(static_cast<std::int64_t>(flops)); }
  double done_flops() const { return done_; }
  /// Set the flops that are done: for work that belongs to no front of the walk, the root on the grid.
  void set_done(double flops) { done_ = flops; }
  /// Somebody hears of this rank's progress, and may cancel.
  bool is_watched() const { return static_cast<bool>(watch_.on_progress); }
  /// begun: flops of a front that is not complete
  /// Errors  Cancelled
  void report(double begun = 0);

 private:
  const bool is_phantom_;
  FactorState<T>& state_;
  const FactorWatch& watch_;
  PivotCheck<T> pivots_;
  const std::shared_ptr<WorkDone> work_;
  double done_ = 0;
  std::int64_t told_ = 0;  ///< flops of this rank that work_->done has already
};

}  // namespace overlapack::sparse::multifrontal
