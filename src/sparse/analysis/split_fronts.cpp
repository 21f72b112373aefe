#include "sparse/analysis/split_fronts.hpp"

namespace overlapack::sparse {

SplitTree split_fronts(const AssemblyTree& tree, const std::function<std::vector<Index>(Index)>& pieces) {
  SplitTree split;
  AssemblyTree& to = split.tree;
  to.n = tree.n;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index end = tree.first_pivot[f + 1];
    for (const Index pivots : pieces(f)) {
      const Index next = to.first_pivot.back() + pivots;
      to.first_pivot.push_back(next);
      to.parent.push_back(static_cast<Index>(to.parent.size()) + 1);  // the next of the chain
      for (Index variable = next; variable < end; ++variable) to.row.push_back(static_cast<std::int32_t>(variable));
      to.row.insert(to.row.end(), tree.rows(f), tree.rows(f) + tree.border(f));
      to.row_start.push_back(static_cast<Index>(to.row.size()));
    }
    split.last_of.push_back(to.fronts() - 1);
  }
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index parent = tree.parent[f];
    Index& of_last = to.parent[static_cast<std::size_t>(split.last_of[f])];
    of_last = parent < 0 ? -1 : split.last_of[parent - 1] + 1;  // the lowest of the parent's chain
  }
  return split;
}

}  // namespace overlapack::sparse
