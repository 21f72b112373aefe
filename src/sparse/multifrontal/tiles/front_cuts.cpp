#include "sparse/multifrontal/tiles/front_cuts.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

/// Cuts first .. first + count - 1 in parts of nearly the same size, at most `most`.
void cut(Index first, Index count, Index most, std::vector<Index>& start) {
  const Index parts = (count + most - 1) / most;
  for (Index p = 0; p < parts; ++p) start.push_back(first + count * p / parts);
}

}  // namespace

FrontCuts front_cuts(Index summed, Index border, const TilePlan& plan) {
  FrontCuts cuts;
  const Index grain = plan.least_pivots, wide = summed / plan.steps / grain * grain;
  const Index pivots = std::clamp(wide, plan.least_pivots, plan.most_pivots);
  cut(0, summed, pivots, cuts.start);
  cuts.summed = static_cast<Index>(cuts.start.size());
  cut(summed, border, plan.border_rows, cuts.start);
  cuts.start.push_back(summed + border);
  cuts.depth = std::max<Index>(1, plan.depth / pivots);
  return cuts;
}

std::vector<ContributionCut> contribution_cuts(Index border, Index width, bool is_lower,
                                               const TilePlan& plan) {
  std::vector<ContributionCut> tiles;
  std::vector<Index> columns, rows;
  for (Index panel = 0; panel < border; panel += width)
    cut(panel, std::min(width, border - panel), plan.contribution_columns, columns);
  columns.push_back(border);
  for (std::size_t s = 0; s + 1 < columns.size(); ++s) {
    const Index left = columns[s], cols = columns[s + 1] - left, top = is_lower ? left : 0;
    rows.clear();
    cut(top, border - top, std::max(plan.contribution_rows, cols), rows);
    rows.push_back(border);
    if (rows.size() > 2 && rows[1] - top < cols) rows[1] = top + cols;
    for (std::size_t r = 0; r + 1 < rows.size(); ++r)
      if (rows[r + 1] > rows[r])
        tiles.push_back({rows[r], left, rows[r + 1] - rows[r], cols, static_cast<Index>(s)});
  }
  return tiles;
}

}  // namespace overlapack::sparse::multifrontal
