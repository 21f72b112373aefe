#include "sparse/analysis/fronts/split_fronts.hpp"

#include <utility>

namespace overlapack::sparse {

SplitTree split_fronts(const AssemblyTree& tree, const std::function<std::vector<Index>(Index)>& pieces) {
  SplitTree split;
  std::vector<Index> first_pivot{0}, parents, row_start{0};
  std::vector<std::int32_t> row;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index end = tree.first_pivot[f + 1];
    for (const Index pivots : pieces(f)) {
      const Index next = first_pivot.back() + pivots;
      first_pivot.push_back(next);
      parents.push_back(static_cast<Index>(parents.size()) + 1);  // the next of the chain
      for (Index variable = next; variable < end; ++variable)
        row.push_back(static_cast<std::int32_t>(variable));
      row.insert(row.end(), tree.rows(f), tree.rows(f) + tree.border(f));
      row_start.push_back(static_cast<Index>(row.size()));
    }
    split.last_of.push_back(static_cast<Index>(parents.size()) - 1);
  }
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index parent = tree.parent[f];
    Index& of_last = parents[static_cast<std::size_t>(split.last_of[f])];
    of_last = parent < 0 ? -1 : split.last_of[parent - 1] + 1;  // the lowest of the parent's chain
  }
  split.tree = {.n = tree.n,
                .first_pivot = std::move(first_pivot),
                .parent = std::move(parents),
                .row_start = std::move(row_start),
                .row = std::move(row)};
  return split;
}

}  // namespace overlapack::sparse
