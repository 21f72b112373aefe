#include "api/dense/dense_report.hpp"

#include "api/prepare.hpp"
#include "comm/collective/collective.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <array>

namespace overlapack::api {
namespace {

DenseFigures figures_of(const DensePlan& plan) {
  DenseFigures figures;
  figures.grid = std::to_string(plan.grid.rows()) + "x" + std::to_string(plan.grid.cols());
  figures.block = plan.block;
  figures.schedule = to_string(plan.lu.schedule);
  figures.depth = panels_ahead(plan.lu.schedule, plan.lu.depth);
  figures.broadcast = to_string(plan.lu.broadcast);
  return figures;
}

}  // namespace

double lu_flops(Index n, bool is_complex) {
  const double order = static_cast<double>(n);
  return order * order * (2.0 / 3.0 * order + 3.0 / 2.0) * (is_complex ? 4 : 1);
}

void describe(Report& report, Index n, ScalarType type, const DensePlan& plan) {
  report.n = n;
  report.nnz = report.factor_nnz = n * n;
  report.type = name(type);
  report.symmetry = name(Symmetry::general);
  report.method = to_string(Method::dense);
  report.factorization = to_string(FactorKind::lu);
  report.flops = report.predicted_flops =
      lu_flops(n, type == ScalarType::complex64 || type == ScalarType::complex128);
  report.dense = figures_of(plan);
  report.dense->precision = report.type;
}

void sum_up(comm::Rank& rank, dense::FactorResult& counters) {
  const std::array fields{&dense::FactorResult::panels,
                          &dense::FactorResult::panels_ahead,
                          &dense::FactorResult::split_updates,
                          &dense::FactorResult::opposite_phases,
                          &dense::FactorResult::rearranged_lower,
                          &dense::FactorResult::rearranged_upper,
                          &dense::FactorResult::binary_exchanges,
                          &dense::FactorResult::spread_rolls,
                          &dense::FactorResult::direct_interchanges,
                          &dense::FactorResult::overlapped_messages};
  std::array<Index, fields.size()> values{};
  for (std::size_t i = 0; i < fields.size(); ++i) values[i] = counters.*fields[i];
  comm::collective::all_reduce(rank, std::span<Index>(values), std::plus<>());
  for (std::size_t i = 0; i < fields.size(); ++i) counters.*fields[i] = values[i];
  counters.info =
      comm::collective::all_reduce(rank, counters.info, [](Index a, Index b) { return std::max(a, b); });
}

void take(Report& report, const dense::FactorResult& counters) {
  report.dense->panels = counters.panels;
  report.dense->panels_ahead = counters.panels_ahead;
  report.dense->split_updates = counters.split_updates;
  report.dense->opposite_phases = counters.opposite_phases;
  report.dense->rearranged_panels = counters.rearranged_lower + counters.rearranged_upper;
  report.dense->binary_exchanges = counters.binary_exchanges;
  report.dense->spread_rolls = counters.spread_rolls;
  report.dense->direct_interchanges = counters.direct_interchanges;
  report.dense->overlapped_messages = counters.overlapped_messages;
}

void require_pivots(const dense::FactorResult& counters) {
  if (counters.info == 0) return;
  throw Error(ErrorKind::singular, "dense_lu",
              "the matrix is singular: column " + std::to_string(counters.info) +
                  " depends on those before it, its pivot is exactly zero; remove the dependent equations");
}

}  // namespace overlapack::api
