#include "api/plan/factor_plan.hpp"

#include "api/plan/compression.hpp"
#include "api/plan/factors_in.hpp"
#include "api/words/type_names.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <limits>

namespace overlapack::api {
namespace {

dist::WalkPlan walk_plan(const RunOptions& run) {
  dist::WalkPlan plan;
  plan.receive = run.receive;
  plan.posted = run.posted;
  plan.early = run.early;
  plan.budget_bytes = static_cast<std::size_t>(run.budget_bytes);
  return plan;
}

sparse::NodesPlan nodes_plan(const Options& options) {
  const DenseOptions& dense = options.dense;
  sparse::NodesPlan plan;
  plan.schedule = dense.schedule.value_or(plan.schedule);
  if (dense.depth >= 0) plan.depth = dense.depth;
  plan.rows_ahead = options.nodes.rows_ahead == Switch::on;
  plan.grid_rows = dense.grid.rows;
  plan.grid_cols = dense.grid.cols;
  plan.order = options.nodes.order;
  plan.map =
      options.nodes.map.value_or(plan.schedule == Schedule::look_ahead ? NodeMap::subtrees : NodeMap::cyclic);
  return plan;
}

sparse::MultifrontalPlan fronts_plan(const Options& options, const AnalysedFacts& facts, ScalarType type) {
  sparse::MultifrontalPlan plan;
  plan.steals = options.fronts.steal;
  plan.strips = strip_plan(options);
  plan.root = root_plan(options);
  if (facts.is_on_disk) plan.disk = disk_plan(options, facts.scratch_bytes);
  plan.low_rank = low_rank_plan(options, type);
  plan.walk = walk_plan(options.run);
  return plan;
}

}  // namespace

sparse::StripPlan strip_plan(const Options& options) {
  const FrontOptions& fronts = options.fronts;
  const bool waits = options.run.early == EarlyMessages::wait;
  sparse::StripPlan plan;
  plan.sharing = fronts.sharing;
  plan.border = fronts.strip_border;
  plan.rows = fronts.strip_rows;
  plan.panel = fronts.strip_panel;
  plan.chain_pivots = fronts.chain_pivots;
  plan.choice = fronts.strip_choice;
  if (fronts.multicast.value_or(waits ? Multicast::flat : Multicast::tree) == Multicast::flat) {
    plan.tree_from = std::numeric_limits<Index>::max();
    plan.flops_per_byte = plan.flat_flops_per_byte;
  }
  plan.load_news = fronts.load_news;
  return plan;
}

sparse::RootPlan root_plan(const Options& options) {
  const bool is_sequential = options.sparse.null_pivots || is_compressing(options);
  const auto otherwise = is_sequential ? std::optional(RootParallelism::sequential) : std::nullopt;
  return {.root = options.fronts.root ? options.fronts.root : otherwise,
          .order = options.fronts.root_order,
          .block = options.fronts.root_block};
}

sparse::FactorPlan plan_of(const Options& options, const AnalysedFacts& facts, ScalarType type) {
  const double slice_flops = options.fronts.slice_flops;
  sparse::FactorPlan plan;
  plan.pivot_threshold = options.sparse.pivot_threshold;
  // First factors of mixed precision end at rounding; those of full precision follow and decide.
  plan.refuses_rounding = options.precision == Precision::mixed && is_single(type);
  plan.keeps_null_pivots = options.sparse.null_pivots;
  plan.perturbation = options.sparse.perturbation;
  plan.sign_shift = options.sparse.regularization;
  plan.slice_flops = slice_flops > 0 ? slice_flops : std::numeric_limits<double>::infinity();
  plan.fronts = fronts_plan(options, facts, type);
  plan.columns.may_give_up = facts.may_give_up;
  plan.nodes = nodes_plan(options);
  return plan;
}

}  // namespace overlapack::api
