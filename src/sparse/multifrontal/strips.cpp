#include "sparse/multifrontal/strips.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace overlapack::sparse {

Strips make_strips(FactorKind kind, Index border, std::vector<int> ranks) {
  Strips strips;
  const auto count = static_cast<double>(ranks.size());
  for (std::size_t i = 1; i <= ranks.size(); ++i) {
    const double share = static_cast<double>(i) / count;
    const double rows = static_cast<double>(border) * (kind == FactorKind::lu ? share : std::sqrt(share));
    strips.start.push_back(i == ranks.size() ? border : std::llround(rows));
  }
  strips.rank = std::move(ranks);
  return strips;
}

double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f, const Strips& strips, Index i) {
  const auto rows = static_cast<double>(strips.start[i + 1] - strips.start[i]);
  const auto s = static_cast<double>(tree.pivots(f)), m = static_cast<double>(tree.border(f));
  if (kind == FactorKind::lu) return rows * s * (s + 2 * m);
  return rows * s * static_cast<double>(strips.start[i] + strips.start[i + 1]);
}

double strip_flops(FactorKind kind, const AssemblyTree& tree, Index f) {
  return strip_flops(kind, tree, f, {{0, tree.border(f)}, {0}}, 0);
}

Index PlacesInParent::rows_before(Index row) const {
  return std::lower_bound(place.begin() + summed, place.end(), row) - place.begin();
}

PlacesInParent places_in_parent(const AssemblyTree& tree, Index child) {
  const Index parent = tree.parent[child], border = tree.border(child);
  const Index first = tree.first_pivot[parent], end = tree.first_pivot[parent + 1];
  const std::int32_t *rows = tree.rows(child), *theirs = tree.rows(parent);
  PlacesInParent places;
  places.place.resize(static_cast<std::size_t>(border));
  for (Index i = 0, k = 0; i < border; ++i) {
    if (rows[i] < end) {
      places.place[i] = static_cast<std::int32_t>(rows[i] - first);
      ++places.summed;
      continue;
    }
    while (theirs[k] < rows[i]) ++k;
    places.place[i] = static_cast<std::int32_t>(k);
  }
  return places;
}

}  // namespace overlapack::sparse
