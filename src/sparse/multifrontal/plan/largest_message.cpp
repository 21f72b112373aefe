#include "sparse/multifrontal/plan/largest_message.hpp"

#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

/// Entries of the widest panel that the owner of front f sends to its strips.
Index panel_entries(const Structure& structure, const StripPlan& plan, Index f) {
  const Index width = std::min(structure.tree.pivots(f), panel_width(plan, 1));
  return width * (structure.is_symmetric() ? structure.tree.border(f) : structure.tree.order(f));
}

}  // namespace

std::size_t largest_message(const Structure& structure, const FactorPlan& plan, int ranks,
                            std::size_t entry_bytes) {
  const AssemblyTree& tree = structure.tree;
  const StripPlan& strips = plan.fronts.strips;
  Index most = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Layout layout = structure.layout(f);
    if (layout == Layout::strips) most = std::max(most, panel_entries(structure, strips, f));
    const Index parent = tree.parent[f], m = tree.border(f);
    if (layout != Layout::whole || parent < 0) continue;
    const Index block = structure.is_symmetric() ? m * (m + 1) / 2 : m * m;
    if (structure.layout(parent) == Layout::strips)
      most =
          std::max(most, block / std::min<Index>(ranks, most_profitable_strips(structure.kind, tree, parent,
                                                                               entry_bytes, strips)));
    else if (structure.owner[f] != structure.owner[parent])
      most = std::max(most, block);
  }
  return static_cast<std::size_t>(most) * entry_bytes;
}

}  // namespace overlapack::sparse::multifrontal
