#include "sparse/multifrontal/plan/strips.hpp"

#include "sparse/factors/strip_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace overlapack::sparse::multifrontal {

double level_of(std::span<const double> loads, double work) {
  std::vector<double> sorted(loads.begin(), loads.end());
  std::ranges::sort(sorted);
  double level = 0, below = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    below += sorted[k];
    level = (work + below) / static_cast<double>(k + 1);
    if (k + 1 < sorted.size() && level <= sorted[k + 1]) break;
  }
  return level;
}

std::vector<double> shares_by_load(std::span<const double> loads, double work, std::span<const double> room) {
  std::vector<double> most(room.begin(), room.end());
  most.resize(loads.size(), HUGE_VAL);
  const double all_room = std::accumulate(most.begin(), most.end(), 0.0);
  if (all_room < 1)
    for (double& share : most) share /= all_room;
  std::vector<double> shares(loads.size(), 0), open_loads;
  std::vector<char> is_full(loads.size(), 0);
  for (double left = work;;) {  // a rank that comes to the end of its room leaves the rest to the others
    open_loads.clear();
    for (std::size_t i = 0; i < loads.size(); ++i)
      if (!is_full[i]) open_loads.push_back(loads[i]);
    if (open_loads.empty()) return shares;
    const double level = level_of(open_loads, left);
    bool is_done = true;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (is_full[i]) continue;
      shares[i] = std::max(0.0, level - loads[i]) / work;
      if (shares[i] <= most[i]) continue;
      shares[i] = most[i];
      left -= most[i] * work;
      is_full[i] = 1;
      is_done = false;
    }
    if (is_done) return shares;
  }
}

Index most_profitable_strips(FactorKind kind, const AssemblyTree& tree, Index f, std::size_t entry_bytes,
                             const StripPlan& plan) {
  const auto s = static_cast<double>(tree.pivots(f)), m = static_cast<double>(tree.border(f));
  // symmetric: a strip needs L21 down to its own last row alone, which counts as half of L21 here
  const double panel = kind == FactorKind::lu ? s * (s / 2 + m) : s * m / 2;
  const double bytes = panel * static_cast<double>(entry_bytes);
  const double k = std::sqrt(strip_flops(kind, s, m) / (bytes * plan.flops_per_byte));  // inf: all
  return std::max<Index>(1, std::llround(std::min(k, m)));
}

Strips make_strips(FactorKind kind, Index border, Index least_rows, Index most, std::vector<int> ranks,
                   std::vector<double> loads, double work, std::vector<double> room) {
  const auto rows_of = [&](double share) { return share * static_cast<double>(border); };
  room.resize(ranks.size(), HUGE_VAL);
  std::vector<double> shares = shares_by_load(loads, work, room);
  while (ranks.size() >
         1) {  // the smallest strip is none at all where there are too many, or it has too few rows
    const auto smallest = std::ranges::min_element(shares);
    if (std::ssize(ranks) <= most && rows_of(*smallest) >= static_cast<double>(least_rows)) break;
    const auto at = smallest - shares.begin();
    ranks.erase(ranks.begin() + at);
    loads.erase(loads.begin() + at);
    room.erase(room.begin() + at);
    shares = shares_by_load(loads, work, room);
  }
  Strips strips;
  double share = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    share += shares[i];
    const double part = rows_of(kind == FactorKind::lu ? share : std::sqrt(share));
    const Index end =
        i + 1 == ranks.size() ? border : std::min(border, static_cast<Index>(std::llround(part)));
    if (end == strips.start.back()) continue;  // a share of an area may be less than a row
    strips.start.push_back(end);
    strips.rank.push_back(ranks[i]);
  }
  return strips;
}

double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i) {
  const auto rows = static_cast<double>(strips.start[i + 1] - strips.start[i]);
  const auto s = static_cast<double>(tree.pivots(f)), m = static_cast<double>(tree.border(f));
  if (kind == FactorKind::lu) return rows * s * (s + 2 * m);
  return rows * s * static_cast<double>(strips.start[i] + strips.start[i + 1]);
}

double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i) {
  const auto rows = static_cast<double>(strips.start[i + 1] - strips.start[i]);
  if (kind == FactorKind::lu) return rows * static_cast<double>(tree.order(f));
  return rows * static_cast<double>(strips.start[i + 1]);
}

double strip_entries(FactorKind kind, const AssemblyTree& tree, Index f) {
  const auto m = static_cast<double>(tree.border(f));
  return kind == FactorKind::lu ? m * static_cast<double>(tree.order(f)) : m * m / 2;
}

double strip_flops(FactorKind kind, double s, double m) {
  return kind == FactorKind::lu ? m * s * (s + 2 * m) : m * s * m;
}

double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f) {
  return strip_flops(kind, static_cast<double>(tree.pivots(f)), static_cast<double>(tree.border(f)));
}

Index PositionsInParent::rows_before(Index row) const {
  return std::lower_bound(position.begin() + summed, position.end(), row) - position.begin();
}

PositionsInParent positions_in_parent(const AssemblyTree& tree, Index child) {
  const Index parent = tree.parent[child], border = tree.border(child);
  const Index first = tree.first_pivot[parent], end = tree.first_pivot[parent + 1];
  const std::int32_t *rows = tree.rows(child), *theirs = tree.rows(parent);
  PositionsInParent positions;
  positions.position.resize(static_cast<std::size_t>(border));
  for (Index i = 0, k = 0; i < border; ++i) {
    if (rows[i] < end) {
      positions.position[i] = static_cast<std::int32_t>(rows[i] - first);
      ++positions.summed;
      continue;
    }
    while (theirs[k] < rows[i]) ++k;
    positions.position[i] = static_cast<std::int32_t>(k);
  }
  return positions;
}

}  // namespace overlapack::sparse::multifrontal
