#pragma once
#include "base/block_pool.hpp"
#include "sparse/multifrontal/assemble.hpp"
#include "sparse/multifrontal/distributed_fronts.hpp"
#include "sparse/multifrontal/eliminate.hpp"
#include "sparse/multifrontal/entries.hpp"
#include "sparse/multifrontal/grid_root.hpp"
#include "sparse/multifrontal/pivot_check.hpp"
#include "sparse/multifrontal/state.hpp"
#include "sparse/multifrontal/stolen_fronts.hpp"

#include <optional>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// The upward walk of the factorisation: assemble a front, eliminate it, pass on its contribution.
template <class T>
class FactorWalk : public dist::TaskEvents {
 public:
  FactorWalk(comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries,
             const MultifrontalPlan& plan);

  void run_all();

  bool run(Index task) override;
  void ready(Index task) override;
  void arrived(Index task, comm::Message message) override;
  void received(comm::Message message) override;
  void idle(bool has_ended) override;
  bool is_closed() const override {
    return (!stolen_ || stolen_->stealing().is_closed()) && (!distributed_ || distributed_->is_closed());
  }

 private:
  /// Run f as its own event, or inside the event of a small task.
  template <class F>
  void stage(const comm::Work& work, F&& f);
  Front<T>& assemble(Index f);
  void eliminate_front(Index f);
  void start_root(Index f);
  void factorize_root();
  double root_flops_of_rank() const;
  void start_distributed(Index f);
  void finish_distributed(Front<T>& front, const kernels::PanelSteps<T>& steps);
  void collect_children(Index f);
  Front<T>& allocate(Index f);
  void count(const Front<T>& front, const Elimination& done);
  void release_children(Index f);
  void release_remote(Index child);
  void send_contribution(Front<T>& front);
  FrontEntries<T> entries_of(Index f) const;
  void report_progress();

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  const EntryStore<T>& entries_;
  const MultifrontalPlan& plan_;
  Assembler<T> assembler_;
  Eliminator<T> eliminator_;
  PivotCheck<T> pivot_check_;
  BlockPool& pool_;
  dist::TreeWalk walk_;
  std::vector<Contribution<T>>& children_;           ///< of the front at hand
  std::optional<DistributedFronts<T>> distributed_;  ///< where the tree has such fronts
  std::optional<GridRoot<T>> root_;                  ///< where the tree has one
  std::optional<StolenFronts<T>> stolen_;            ///< where ranks take tasks from others
  bool is_closing_ = false;
  const bool cuts_fronts_;    ///< somebody else has messages for this rank, or takes slices
  bool inside_task_ = false;  ///< several fronts run as one event
  double my_flops_ = 0;       ///< predicted for all of my fronts
  double done_flops_ = 0;     ///< of them, by prediction
};

}  // namespace overlapack::sparse
