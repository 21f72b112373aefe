#include "api/multifrontal_plan.hpp"

#include <limits>

namespace overlapack::api {

sparse::MultifrontalPlan multifrontal_plan(const Options& options) {
  const SparseOptions& pivots = options.sparse;
  const FrontOptions& fronts = options.fronts;
  const bool waits = options.run.early == EarlyMessages::wait;
  sparse::MultifrontalPlan plan;
  plan.pivot_threshold = pivots.pivot_threshold;
  plan.keeps_null_pivots = pivots.null_pivots;
  plan.perturbation = pivots.perturbation;
  plan.walk.receive = options.run.receive;
  plan.walk.posted = options.run.posted;
  plan.walk.early = options.run.early;
  plan.strips.fronts = fronts.sharing;
  plan.strips.least_border = fronts.strip_border;
  plan.strips.least_rows = fronts.strip_rows;
  plan.strips.panel = fronts.strip_panel;
  plan.strips.least_pivots = fronts.chain_pivots;
  if (fronts.multicast.value_or(waits ? Multicast::flat : Multicast::tree) == Multicast::flat)
    plan.strips.tree_from = std::numeric_limits<Index>::max();
  plan.strips.is_choice_static = fronts.strip_choice == StripChoice::fixed;
  plan.steals = fronts.steal;
  plan.strips.news_by = fronts.news_by;
  plan.root.root = fronts.root;
  if (!fronts.root && (pivots.null_pivots || waits)) plan.root.root = RootParallelism::sequential;
  plan.root.least_order = fronts.root_order;
  plan.root.block = fronts.root_block;
  return plan;
}

}  // namespace overlapack::api
