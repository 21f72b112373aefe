#include "sparse/multifrontal/tiles/front_cuts.hpp"

#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

// The numbers of a column are read fastest from whole cache lines.
constexpr Index row_grain = kernels::sizes::update_rows, column_grain = kernels::sizes::update_columns,
                cache_line = 8;

/// The grain, or 1 if parts are smaller than a grain.
Index grain_of(Index most, Index grain) { return most < grain ? 1 : grain; }

/// Cuts first .. first + count - 1 into parts of nearly the same size, at most `most`. The first part has
/// `lead` rows more, so that the others begin at whole grains from first + lead on.
void cut(Index first, Index count, Index most, Index grain, Index lead, std::vector<Index>& start) {
  if (most < grain) lead = 0;
  grain = grain_of(most, grain);
  const Index grains = (count - std::min(lead, count) + grain - 1) / grain, together = most / grain,
              parts = (grains + together - 1) / together;
  if (count > 0) start.push_back(first);
  for (Index p = 1; p < parts; ++p) start.push_back(first + lead + grains * p / parts * grain);
}

/// Number of rows from `row` of an array on until a cache line of numbers begins.
Index rows_until_cache_line(Index row) { return (cache_line - row % cache_line) % cache_line; }

}  // namespace

FrontCuts front_cuts(Index summed, Index border, const TilePlan& plan) {
  FrontCuts cuts;
  const Index grain = plan.least_pivots, wide = summed / plan.steps / grain * grain;
  const Index pivots = std::clamp(wide, plan.least_pivots, plan.most_pivots);
  cut(0, summed, pivots, column_grain, 0, cuts.start);
  cuts.summed = static_cast<Index>(cuts.start.size());
  cut(summed, border, plan.border_rows, row_grain, rows_until_cache_line(summed), cuts.start);
  cuts.start.push_back(summed + border);
  cuts.depth = std::max<Index>(1, plan.depth / pivots);
  return cuts;
}

std::vector<ContributionCut> contribution_cuts(Index border, Index width, bool is_lower, Index before,
                                               const TilePlan& plan) {
  std::vector<ContributionCut> tiles;
  std::vector<Index> columns, rows;
  for (Index panel = 0; panel < border; panel += width)
    cut(panel, std::min(width, border - panel), plan.contribution_columns, column_grain, 0, columns);
  columns.push_back(border);
  for (std::size_t s = 0; s + 1 < columns.size(); ++s) {
    const Index left = columns[s], cols = columns[s + 1] - left, top = is_lower ? left : 0;
    rows.clear();
    const Index most = std::max(plan.contribution_rows, cols);
    cut(top, border - top, most, row_grain, rows_until_cache_line(before + top), rows);
    rows.push_back(border);
    const Index missing = top + cols - rows[1], grain = grain_of(most, row_grain);
    if (rows.size() > 2 && missing > 0)
      rows[1] = std::min(border, rows[1] + (missing + grain - 1) / grain * grain);
    for (std::size_t r = 0; r + 1 < rows.size(); ++r)
      if (rows[r + 1] > rows[r])
        tiles.push_back({rows[r], left, rows[r + 1] - rows[r], cols, static_cast<Index>(s)});
  }
  return tiles;
}

}  // namespace overlapack::sparse::multifrontal
