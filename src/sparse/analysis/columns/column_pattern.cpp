#include "sparse/analysis/columns/column_pattern.hpp"

#include <numeric>

namespace overlapack::sparse {
namespace {

/// Call visit(j) for each column j < i in which L has row i.
template <class Visit>
void for_each_in_row(const Graph& graph, const EliminationTree& tree, Node i, std::vector<Node>& seen_by,
                     Visit&& visit) {
  for (const Node u : graph.neighbours(tree.order[i]))
    for (Node j = tree.position[u]; j < i && seen_by[j] != i; j = tree.parent[j]) {
      seen_by[j] = i;
      visit(j);
    }
}

void find_nodes(ColumnPattern& pattern, const EliminationTree& tree) {
  const auto n = static_cast<Node>(tree.parent.size());
  const auto count = [&](Node k) { return pattern.lower_start[k + 1] - pattern.lower_start[k]; };
  pattern.node_end.resize(static_cast<std::size_t>(n));
  for (Node k = n - 1; k >= 0; --k) {
    const bool joins_next = tree.parent[k] == k + 1 && count(k) == count(k + 1) + 1;
    pattern.node_end[k] = joins_next ? pattern.node_end[k + 1] : k + 1;
  }
}

}  // namespace

ColumnPattern column_pattern(const Graph& graph, const EliminationTree& tree, std::span<const Index> counts,
                             const ColumnsBeside& beside) {
  const auto n = static_cast<Node>(counts.size());
  ColumnPattern pattern;
  std::vector<Index>&lower = pattern.lower_start, &upper = pattern.upper_start;
  lower.assign(static_cast<std::size_t>(n) + 1, 0);
  for (Node k = 0; k < n; ++k) lower[k + 1] = lower[k] + (beside.is_apart[k] ? 0 : counts[k] - 1);
  pattern.lower_row.resize(static_cast<std::size_t>(lower[n]));

  upper.assign(static_cast<std::size_t>(n) + 1, 0);
  std::vector<Index> next(lower.begin(), lower.end() - 1);
  std::vector<Node> seen_by(static_cast<std::size_t>(n), -1);
  for (Node i = 0; i < n; ++i) {
    Index in_block = 0;
    if (!beside.is_apart[i])
      for_each_in_row(graph, tree, i, seen_by, [&](Node j) {
        pattern.lower_row[next[j]++] = i;
        ++in_block;
      });
    upper[i + 1] = upper[i] + beside.start[i + 1] - beside.start[i] + in_block;
  }

  pattern.upper_row.resize(static_cast<std::size_t>(upper[n]));
  for (Node k = 0; k < n; ++k) {
    next[k] = upper[k];
    for (Index p = beside.start[k]; p < beside.start[k + 1]; ++p)
      pattern.upper_row[next[k]++] = beside.row[p];
  }
  for (Node j = 0; j < n; ++j)
    for (Index p = lower[j]; p < lower[j + 1]; ++p) pattern.upper_row[next[pattern.lower_row[p]]++] = j;
  find_nodes(pattern, tree);
  return pattern;
}

}  // namespace overlapack::sparse
