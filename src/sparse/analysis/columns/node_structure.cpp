#include "sparse/analysis/columns/node_structure.hpp"

#include "sparse/analysis/graph/elimination_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overlapack::sparse {
namespace {

/// Lists of variables that are made one after the other, one for each node.
struct GrowingLists {
  std::vector<Index> start{0};
  std::vector<std::int32_t> variable;

  std::span<const std::int32_t> operator()(Index node) const {
    return {variable.data() + start[node], static_cast<std::size_t>(start[node + 1] - start[node])};
  }
  NodeLists take() { return {std::move(start), std::move(variable)}; }
};

/// The entries of B outside squares, grouped by the node of their smaller variable: the larger variable of each.
struct OriginalEntries {
  std::vector<Index> start;
  std::vector<std::int32_t> variable;
};

std::vector<std::int32_t> node_of_column(std::span<const Node> bounds) {
  std::vector<std::int32_t> node(static_cast<std::size_t>(bounds.back()));
  for (std::size_t k = 0; k + 1 < bounds.size(); ++k)
    std::fill(node.begin() + bounds[k], node.begin() + bounds[k + 1], static_cast<std::int32_t>(k));
  return node;
}

/// Collect the entries of B outside squares. is_rows: those below the squares, by columns; else those right of the squares, by rows.
OriginalEntries original_entries(const PermutedPattern& B, std::span<const std::int32_t> node, Index nodes,
                                 bool is_rows) {
  OriginalEntries entries{std::vector<Index>(static_cast<std::size_t>(nodes) + 1, 0), {}};
  const auto for_each = [&](auto&& visit) {
    for (std::size_t c = 0; c + 1 < B.start.size(); ++c)
      for (Index k = B.start[c]; k < B.start[c + 1]; ++k) {
        const Node i = B.row_position[B.row[k]], j = B.column_position[c];
        if (is_rows ? node[i] > node[j] : node[j] > node[i]) visit(node[std::min(i, j)], std::max(i, j));
      }
  };
  for_each([&](std::int32_t owner, Node) { ++entries.start[owner + 1]; });
  std::partial_sum(entries.start.begin(), entries.start.end(), entries.start.begin());
  entries.variable.resize(static_cast<std::size_t>(entries.start.back()));
  std::vector<Index> next(entries.start.begin(), entries.start.end() - 1);
  for_each([&](std::int32_t owner, Node variable) { entries.variable[next[owner]++] = variable; });
  return entries;
}

/// Makes one of the two kinds of lists (rows or columns), node by node.
class Side {
 public:
  Side(OriginalEntries original, Index nodes, Index n)
      : original_(std::move(original)),
        givers_(static_cast<std::size_t>(nodes)),
        seen_by_(static_cast<std::size_t>(n), -1) {}

  /// Make the list of `node`, whose last variable is end - 1: its own entries, and the entries behind it of the nodes that pass on their lists.
  void close(std::int32_t node, Node end) {
    const auto add = [&](std::span<const std::int32_t> variables) {
      for (const std::int32_t v : variables)
        if (v >= end && seen_by_[v] != node) {
          seen_by_[v] = node;
          lists.variable.push_back(v);
        }
    };
    const Index first = original_.start[node], last = original_.start[node + 1];
    const auto begin = static_cast<std::ptrdiff_t>(lists.variable.size());
    add({original_.variable.data() + first, static_cast<std::size_t>(last - first)});
    for (const std::int32_t giver : givers_[node]) {
      const std::vector<std::int32_t> copy(lists(giver).begin(),
                                           lists(giver).end());  // add() moves the lists
      add(copy);
    }
    std::vector<std::int32_t>().swap(givers_[node]);
    std::sort(lists.variable.begin() + begin, lists.variable.end());
    lists.start.push_back(static_cast<Index>(lists.variable.size()));
  }
  void add_giver(std::int32_t giver, std::int32_t to) { givers_[to].push_back(giver); }

  GrowingLists lists;

 private:
  OriginalEntries original_;
  std::vector<std::vector<std::int32_t>> givers_;  ///< nodes whose lists go to a node
  std::vector<std::int32_t> seen_by_;
};

/// The distinct nodes of ascending variables.
std::vector<std::int32_t> distinct_nodes(std::span<const std::int32_t> variables,
                                         std::span<const std::int32_t> node) {
  std::vector<std::int32_t> found;
  for (const std::int32_t v : variables)
    if (found.empty() || found.back() != node[v]) found.push_back(node[v]);
  return found;
}

/// The first node that is in both lists; `none` if there is none.
std::int32_t first_common(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
                          std::int32_t none) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) return a[i];
    ++(a[i] < b[j] ? i : j);
  }
  return none;
}

Index count_nodes(std::span<const std::int32_t> variables, std::span<const std::int32_t> node) {
  Index count = 0;
  std::int32_t before = -1;
  for (const std::int32_t v : variables) count += std::exchange(before, node[v]) != node[v];
  return count;
}

/// The level of each node: one more than the largest level of the nodes on which it depends.
std::vector<std::int32_t> levels_of(const NodeStructure& structure, std::span<const std::int32_t> node) {
  std::vector<std::int32_t> level(static_cast<std::size_t>(structure.nodes()), 0);
  for (Index k = 0; k < structure.nodes(); ++k)
    for (const NodeLists* lists : {&structure.rows, &structure.columns})
      for (const std::int32_t v : (*lists)(k)) level[node[v]] = std::max(level[node[v]], level[k] + 1);
  return level;
}

}  // namespace

std::vector<Node> node_bounds(const AssemblyTree& tree, const NodePlan& plan) {
  std::vector<Index> below(static_cast<std::size_t>(tree.fronts()), 0);  // variables of a subtree
  std::vector<Node> bounds{0};
  const auto add_until = [&](Index end) {
    const Index first = bounds.back(), width = end - first,
                pieces = (width + plan.max_width - 1) / plan.max_width;
    for (Index piece = 1; piece <= pieces; ++piece)
      bounds.push_back(static_cast<Node>(first + width * piece / pieces));
  };
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index parent = tree.parent[f];
    below[f] += tree.pivots(f);
    if (parent >= 0) below[parent] += below[f];
  }
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index parent = tree.parent[f];
    const bool is_inside = parent >= 0 && below[parent] <= plan.relax;  // joined by an ancestor
    if (!is_inside) add_until(tree.first_pivot[f + 1]);
  }
  return bounds;
}

NodeStructure node_structure(std::span<const Node> bounds, const PermutedPattern& B) {
  const auto nodes = static_cast<Index>(bounds.size()) - 1;
  const std::vector<std::int32_t> node = node_of_column(bounds);
  Side rows(original_entries(B, node, nodes, true), nodes, bounds.back());
  Side columns(original_entries(B, node, nodes, false), nodes, bounds.back());
  std::vector<std::int32_t> first, width;
  for (std::int32_t k = 0; k < nodes; ++k) {
    rows.close(k, bounds[k + 1]);
    columns.close(k, bounds[k + 1]);
    const auto row_nodes = distinct_nodes(rows.lists(k), node),
               column_nodes = distinct_nodes(columns.lists(k), node);
    const auto last = first_common(row_nodes, column_nodes, static_cast<std::int32_t>(nodes));
    for (const std::int32_t to : column_nodes)
      if (to <= last) rows.add_giver(k, to);
    for (const std::int32_t to : row_nodes)
      if (to <= last) columns.add_giver(k, to);
    first.push_back(bounds[k]);
    width.push_back(bounds[k + 1] - bounds[k]);
  }
  return {bounds.back(), std::move(first), std::move(width), rows.lists.take(), columns.lists.take()};
}

NodeStructure sort_by_levels(const NodeStructure& structure) {
  const std::vector<std::int32_t> node = node_of_variable(structure), level = levels_of(structure, node);
  std::vector<std::int32_t> order(level.size()), position(level.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::int32_t k) { return level[k]; });
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<std::int32_t>(k);

  std::vector<std::int32_t> first, width;
  GrowingLists rows, columns;
  for (const std::int32_t k : order) {
    first.push_back(structure.first[k]);
    width.push_back(structure.width[k]);
    const auto add = [&](const NodeLists& from, GrowingLists& to) {
      const auto begin = to.variable.insert(to.variable.end(), from(k).begin(), from(k).end());
      std::ranges::stable_sort(begin, to.variable.end(), {},
                               [&](std::int32_t v) { return position[node[v]]; });
      to.start.push_back(static_cast<Index>(to.variable.size()));
    };
    add(structure.rows, rows);
    add(structure.columns, columns);
  }
  return {structure.n, std::move(first), std::move(width), rows.take(), columns.take()};
}

std::vector<std::int32_t> node_of_variable(const NodeStructure& structure) {
  std::vector<std::int32_t> node(static_cast<std::size_t>(structure.n));
  for (Index k = 0; k < structure.nodes(); ++k)
    std::fill_n(node.begin() + structure.first[k], structure.width[k], static_cast<std::int32_t>(k));
  return node;
}

double factor_entries(const NodeStructure& structure) {
  double entries = 0;
  for (Index k = 0; k < structure.nodes(); ++k) {
    const auto r = static_cast<double>(structure.rows(k).size()),
               c = static_cast<double>(structure.columns(k).size());
    const double w = structure.width[k];
    entries += w * (w + r + c);
  }
  return entries;
}

double node_flops(const NodeStructure& structure, Index node) {
  const auto r = static_cast<double>(structure.rows(node).size()),
             c = static_cast<double>(structure.columns(node).size());
  const double w = structure.width[node];
  return w * (w - 1) * (4 * w + 1) / 6 + w * w * r + w * (w - 1) * c + 2 * w * r * c;
}

double factor_flops(const NodeStructure& structure) {
  double flops = 0;
  for (Index k = 0; k < structure.nodes(); ++k) flops += node_flops(structure, k);
  return flops;
}

std::vector<double> seconds_of_nodes(const NodeStructure& structure, const FrontCostModel& model) {
  const std::vector<std::int32_t> node = node_of_variable(structure);
  std::vector<double> seconds;
  for (Index k = 0; k < structure.nodes(); ++k) {
    const auto rows = structure.rows(k), columns = structure.columns(k);
    const Index updated = count_nodes(rows, node) + count_nodes(columns, node);
    seconds.push_back(node_seconds(structure.width[k], static_cast<Index>(rows.size()),
                                   static_cast<Index>(columns.size()), updated, model));
  }
  return seconds;
}

double node_seconds(const NodeStructure& structure, const FrontCostModel& model) {
  const std::vector<double> seconds = seconds_of_nodes(structure, model);
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

std::vector<Index> node_tree(const NodeStructure& structure) {
  const std::vector<std::int32_t> node = node_of_variable(structure);
  std::vector<Index> start{0}, below, parent;
  for (Index k = 0; k < structure.nodes(); ++k) {
    std::vector<std::int32_t> linked = distinct_nodes(structure.rows(k), node);
    const auto columns = distinct_nodes(structure.columns(k), node);
    const auto middle = linked.insert(linked.end(), columns.begin(), columns.end());
    std::inplace_merge(linked.begin(), middle, linked.end());
    below.insert(below.end(), linked.begin(), std::unique(linked.begin(), linked.end()));
    start.push_back(static_cast<Index>(below.size()));
  }
  std::vector<Node> order(static_cast<std::size_t>(structure.nodes()));
  std::iota(order.begin(), order.end(), 0);
  const EliminationTree tree = elimination_tree(symmetrised_graph(start, below, {}), order);
  for (const Node at : tree.position)
    parent.push_back(tree.parent[at] < 0 ? -1 : tree.order[tree.parent[at]]);
  return parent;
}

}  // namespace overlapack::sparse
