#include "sparse/analysis/fronts/front_cost.hpp"

#include <algorithm>
#include <bit>

namespace overlapack::sparse {
namespace {

using kernels::RateTable;

double rate_at(const RateTable& table, Index width) {
  if (width < 1) return table.front();
  const int octave = std::bit_width(static_cast<std::uint64_t>(width)) - 1;
  if (octave + 1 >= static_cast<int>(table.size())) return table.back();
  const double fraction = static_cast<double>(width) / static_cast<double>(Index{1} << octave) - 1;
  return table[octave] + fraction * (table[octave + 1] - table[octave]);
}

double update_rate(const kernels::UpdateRates& updates, Index width, double border) {
  return rate_at(updates.rate, width) * border / (border + updates.half_border);
}

const RateTable& panel_rates(FactorKind kind, const kernels::Rates& rates) {
  if (kind == FactorKind::lu) return rates.panel_lu;
  return kind == FactorKind::ldlt ? rates.panel_ldlt : rates.panel_cholesky;
}

// 1^2 + 2^2 + ... + m^2
double sum_of_squares(double m) { return m * (m + 1) * (2 * m + 1) / 6; }

/// The flops of C -= L21 U12, or of its lower triangle.
double update_flops(FactorKind kind, double border, double width) {
  return kind == FactorKind::lu ? 2 * width * border * border : width * border * (border + 1);
}

}  // namespace

double front_flops(FactorKind kind, Index f, Index s) {
  // Step k leaves m = f - k rows: m divisions and a rank-one update of m^2 entries (lu) or m (m + 1) / 2.
  const double order = static_cast<double>(f), width = static_cast<double>(s);
  const double sum_m = width * order - width * (width + 1) / 2;
  const double sum_m2 = sum_of_squares(order - 1) - sum_of_squares(order - width - 1);
  if (kind == FactorKind::lu) return sum_m + 2 * sum_m2;
  const double roots = kind == FactorKind::cholesky ? width : 0;
  return roots + 2 * sum_m + sum_m2;
}

double front_seconds(FactorKind kind, Index f, Index s, const FrontCostModel& model) {
  const double border = static_cast<double>(f - s), width = static_cast<double>(s);
  const double update = update_flops(kind, border, width);
  const double panel = front_flops(kind, f, s) - update;
  const kernels::Rates& rates = model.rates;
  const kernels::UpdateRates& updates = kind == FactorKind::lu ? rates.update_full : rates.update_lower;
  const double assembly_bytes = 3 * model.scalar.bytes * contribution_nnz(kind, f, s);
  double seconds = rates.front_s + assembly_bytes / rates.assembly_bytes_per_s;
  const double operation = model.scalar.operation;
  seconds += operation * panel / (1e9 * rate_at(panel_rates(kind, rates), s));
  if (update > 0) seconds += operation * update / (1e9 * update_rate(updates, s, border));
  return seconds;
}

double node_seconds(Index w, Index r, Index c, Index updated, const FrontCostModel& model) {
  const double width = static_cast<double>(w), rows = static_cast<double>(r),
               columns = static_cast<double>(c);
  const double panel = front_flops(FactorKind::lu, w, w) + width * width * (rows + columns);
  const kernels::Rates& rates = model.rates;
  const double operation = model.scalar.operation;
  double seconds = rates.node_s + rates.node_update_s * static_cast<double>(updated) +
                   rates.listed_s * (rows + columns) +
                   rates.added_s * model.scalar.bytes / 8 * rows * columns +
                   operation * panel / (1e9 * rate_at(rates.panel_lu, w));
  const double border = std::min(rows, columns);
  if (border > 0)
    seconds += operation * 2 * width * rows * columns / (1e9 * update_rate(rates.update_full, w, border));
  return seconds;
}

std::vector<double> front_seconds(const AssemblyTree& tree, FactorKind kind, const FrontCostModel& model) {
  std::vector<double> seconds(tree.fronts());
  for (Index f = 0; f < tree.fronts(); ++f)
    seconds[f] = front_seconds(kind, tree.order(f), tree.pivots(f), model);
  return seconds;
}

}  // namespace overlapack::sparse
