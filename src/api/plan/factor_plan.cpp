#include "api/plan/factor_plan.hpp"

#include "api/plan/compression.hpp"

#include <limits>

namespace overlapack::api {

sparse::FactorPlan factor_plan(const Options& options) {
  const SparseOptions& pivots = options.sparse;
  const FrontOptions& fronts = options.fronts;
  const bool waits = options.run.early == EarlyMessages::wait;
  sparse::FactorPlan plan;
  plan.pivot_threshold = pivots.pivot_threshold;
  plan.keeps_null_pivots = pivots.null_pivots;
  plan.perturbation = pivots.perturbation;
  plan.slice_flops = fronts.slice_flops > 0 ? fronts.slice_flops : std::numeric_limits<double>::infinity();
  plan.fronts.walk.receive = options.run.receive;
  plan.fronts.walk.posted = options.run.posted;
  plan.fronts.walk.early = options.run.early;
  plan.fronts.walk.budget_bytes = static_cast<std::size_t>(options.run.budget_bytes);
  plan.fronts.strips.fronts = fronts.sharing;
  plan.fronts.strips.least_border = fronts.strip_border;
  plan.fronts.strips.least_rows = fronts.strip_rows;
  plan.fronts.strips.panel = fronts.strip_panel;
  plan.fronts.strips.least_pivots = fronts.chain_pivots;
  if (fronts.multicast.value_or(waits ? Multicast::flat : Multicast::tree) == Multicast::flat)
    plan.fronts.strips.tree_from = std::numeric_limits<Index>::max();
  plan.fronts.strips.is_choice_static = fronts.strip_choice == StripChoice::fixed;
  plan.fronts.steals = fronts.steal;
  plan.fronts.strips.news_by = fronts.news_by;
  plan.fronts.root.root = fronts.root;
  if (!fronts.root && (pivots.null_pivots || is_compressing(options)))
    plan.fronts.root.root = RootParallelism::sequential;
  plan.fronts.root.least_order = fronts.root_order;
  plan.fronts.root.block = fronts.root_block;
  const DenseOptions& grid = options.dense;
  plan.nodes.schedule = grid.schedule.value_or(plan.nodes.schedule);
  if (grid.depth >= 0) plan.nodes.depth = grid.depth;
  plan.nodes.rows_ahead = options.nodes.rows_ahead == Switch::on;
  plan.nodes.grid_rows = grid.grid.rows;
  plan.nodes.grid_cols = grid.grid.cols;
  plan.nodes.order = options.nodes.order;
  const bool is_ahead = plan.nodes.schedule == Schedule::look_ahead;
  plan.nodes.map = options.nodes.map.value_or(is_ahead ? NodeMap::subtrees : NodeMap::cyclic);
  return plan;
}

}  // namespace overlapack::api
