#include "api/dense/dense_report.hpp"

#include "api/plan/prepare.hpp"
#include "api/words/type_names.hpp"
#include "base/larger.hpp"
#include "comm/collective/combine_figures.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace overlapack::api {
namespace {

std::string_view broadcast_of(const dense::LuPlan& plan) {
  switch (plan.discipline) {
    case dense::Discipline::messages:
      return to_string(plan.messages.broadcast);
    case dense::Discipline::onesided:
      return to_string(plan.library_broadcast.value_or(BroadcastKind::direct));
    case dense::Discipline::superstep:
      return "two_phase";
  }
  return {};
}

DenseFigures planned_figures(const DensePlan& plan) {
  DenseFigures figures;
  figures.grid = std::to_string(plan.grid.rows()) + "x" + std::to_string(plan.grid.cols());
  if (plan.order) figures.grid_order = to_string(*plan.order);
  figures.block = plan.block;
  figures.schedule = to_string(plan.lu.schedule);
  figures.discipline = to_string(plan.lu.discipline);
  figures.depth = panels_ahead(plan.lu.schedule, plan.lu.depth);
  figures.broadcast = broadcast_of(plan.lu);
  return figures;
}

}  // namespace

double lu_flops(Index n, bool is_complex) {
  const double order = static_cast<double>(n);
  return order * order * (2.0 / 3.0 * order + 3.0 / 2.0) * real_operations(is_complex);
}

void write_plan(Report& report, Index n, ScalarType type, const DensePlan& plan) {
  report.n = n;
  report.nnz = report.factor_nnz = n * n;
  report.type = name(type);
  report.symmetry = name(Symmetry::general);
  report.method = to_string(Method::dense);
  report.factorization = to_string(FactorKind::lu);
  report.flops = report.predicted_flops = lu_flops(n, is_complex(type));
  report.choice = plan.choice;
  report.dense = planned_figures(plan);
  report.dense->rows = n;
  report.dense->precision = report.type;
}

void sum_counters_over_ranks(comm::Rank& rank, dense::FactorResult& counters) {
  comm::collective::all_reduce_figures<DenseCounters>(rank, counters);
  counters.info = comm::collective::all_reduce(rank, counters.info, Larger());
}

double computing_with_mate(const trace::Timeline& timeline, std::span<const int> node_of) {
  // By node: when a rank begins (+1) or ends (-1) to compute.
  std::map<int, std::vector<std::pair<double, int>>> changes;
  for (const trace::Event& event : timeline.events()) {
    if (event.what != trace::What::compute) continue;
    auto& of_node = changes[node_of[static_cast<std::size_t>(event.rank)]];
    of_node.emplace_back(event.begin_s, +1);
    of_node.emplace_back(event.end_s, -1);
  }
  double together = 0, all = 0;
  for (auto& [node, at] : changes) {
    std::ranges::sort(at);
    int computing = 0;
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      computing += at[i].second;
      const double time_s = computing * (at[i + 1].first - at[i].first);
      all += time_s;
      if (computing > 1) together += time_s;
    }
  }
  return all > 0 ? together / all : unknown;
}

void require_pivots(const dense::FactorResult& counters) {
  if (counters.info == 0) return;
  throw Error(Status::singular,
              "the matrix is singular: column " + std::to_string(counters.info - 1) +
                  ", from 0, depends on those before it, its pivot is exactly zero; remove the dependent "
                  "equations");
}

}  // namespace overlapack::api
