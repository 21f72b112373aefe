#pragma once
#include "sparse/multifrontal/factorize/distributed_fronts.hpp"
#include "sparse/multifrontal/factorize/grid_root.hpp"
#include "sparse/multifrontal/factorize/stolen_fronts.hpp"
#include "sparse/multifrontal/factorize/whole_fronts.hpp"

#include <array>
#include <optional>

namespace overlapack::sparse::multifrontal {

/// The upward walk of the factorisation on one rank. dist::TreeWalk calls it with tasks and messages, and it
/// passes each to the FrontKind of the front. Multifrontal makes one for each factorisation.
template <class T>
class FactorWalk : public dist::TaskEvents {
 public:
  FactorWalk(comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries, const FactorPlan& plan,
             const FactorWatch& watch);

  void run_all();

  bool run(Index task) override;
  void on_task_ready(Index task) override;
  void on_task_message(Index task, comm::Message message) override;
  void on_message(comm::Message message) override;
  void on_idle(bool has_ended) override;
  bool is_closed() const override {
    return (!stolen_ || stolen_->stealing().is_closed()) && (!distributed_ || distributed_->is_closed());
  }

 private:
  void count_work_done(double flops);
  void write_rest();

  dist::TreeWalk walk_;
  FrontAssembly<T> assembly_;
  Tally<T> tally_;
  std::array<FrontKind<T>*, 3> kinds_{};
  const FrontContext<T> here_;
  WholeFronts<T> whole_;
  std::optional<GridRoot<T>> root_;                  ///< if the tree has one
  std::optional<DistributedFronts<T>> distributed_;  ///< if the tree has such fronts
  std::optional<StolenFronts<T>> stolen_;            ///< if ranks may take tasks from others
  bool is_closing_ = false;
};

}  // namespace overlapack::sparse::multifrontal
