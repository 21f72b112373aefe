#include "api/factor_plan.hpp"

#include <limits>

namespace overlapack::api {

sparse::FactorPlan factor_plan(const Options& options) {
  sparse::FactorPlan plan;
  plan.pivot_threshold = options.pivot_threshold;
  plan.keeps_null_pivots = options.null_pivots;
  plan.perturbation = options.perturbation;
  plan.fronts.walk.receive =
      options.receive == "probe" ? comm::ReceiveMode::probe : comm::ReceiveMode::immediate;
  plan.fronts.walk.posted = options.posted;
  const bool waits = options.early == "wait";
  plan.fronts.walk.early = waits ? dist::EarlyMessages::wait : dist::EarlyMessages::park;
  using Parallelism = sparse::NodeParallelism;
  plan.fronts.strips.fronts = options.fronts == "strips"   ? Parallelism::strips
                              : options.fronts == "slices" ? Parallelism::slices
                                                           : Parallelism::automatic;
  plan.fronts.strips.least_border = options.strip_border;
  plan.fronts.strips.least_rows = options.strip_rows;
  plan.fronts.strips.panel = options.strip_panel;
  plan.fronts.strips.least_pivots = options.chain_pivots;
  if (options.multicast == "flat" || (options.multicast == "auto" && waits))
    plan.fronts.strips.tree_from = std::numeric_limits<Index>::max();
  plan.fronts.strips.is_choice_static = options.strip_choice == "static";
  plan.fronts.steals = options.steal;
  using dist::NewsBy;
  plan.fronts.strips.news_by = options.load_news == "shared" ? NewsBy::shared_lane
                               : options.load_news == "put"  ? NewsBy::put
                                                             : NewsBy::own_lane;
  using Root = sparse::RootParallelism;
  plan.fronts.root.root = options.root == "grid"         ? Root::grid
                          : options.root == "sequential" ? Root::sequential
                                                         : Root::automatic;
  if (options.root == "auto" && (options.null_pivots || waits)) plan.fronts.root.root = Root::sequential;
  plan.fronts.root.least_order = options.root_border;
  plan.fronts.root.block = options.root_block;
  return plan;
}

}  // namespace overlapack::api
