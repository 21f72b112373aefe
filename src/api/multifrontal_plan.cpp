#include "api/multifrontal_plan.hpp"

#include <limits>

namespace overlapack::api {

sparse::MultifrontalPlan multifrontal_plan(const Options& options) {
  sparse::MultifrontalPlan plan;
  plan.pivot_threshold = options.pivot_threshold;
  plan.keeps_null_pivots = options.null_pivots;
  plan.perturbation = options.perturbation;
  plan.walk.receive = options.receive == "probe" ? comm::ReceiveMode::probe : comm::ReceiveMode::immediate;
  plan.walk.posted = options.posted;
  const bool waits = options.early == "wait";
  plan.walk.early = waits ? dist::EarlyMessages::wait : dist::EarlyMessages::park;
  using Parallelism = sparse::NodeParallelism;
  plan.strips.fronts = options.fronts == "strips"   ? Parallelism::strips
                       : options.fronts == "slices" ? Parallelism::slices
                                                    : Parallelism::automatic;
  plan.strips.least_border = options.strip_border;
  plan.strips.least_rows = options.strip_rows;
  plan.strips.panel = options.strip_panel;
  plan.strips.least_pivots = options.chain_pivots;
  if (options.multicast == "flat" || (options.multicast == "auto" && waits))
    plan.strips.tree_from = std::numeric_limits<Index>::max();
  plan.strips.is_choice_static = options.strip_choice == "static";
  plan.steals = options.steal;
  using dist::NewsBy;
  plan.strips.news_by = options.load_news == "shared" ? NewsBy::shared_lane
                        : options.load_news == "put"  ? NewsBy::put
                                                      : NewsBy::own_lane;
  using Root = sparse::RootParallelism;
  plan.root.root = options.root == "grid"         ? Root::grid
                   : options.root == "sequential" ? Root::sequential
                                                  : Root::automatic;
  if (options.root == "auto" && (options.null_pivots || waits)) plan.root.root = Root::sequential;
  plan.root.least_order = options.root_border;
  plan.root.block = options.root_block;
  return plan;
}

}  // namespace overlapack::api
