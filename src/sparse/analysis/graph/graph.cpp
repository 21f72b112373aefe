#include "sparse/analysis/graph/graph.hpp"

#include "comm/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace overlapack::sparse {
namespace {

void counts_to_offsets(std::vector<Index>& start) {
  std::partial_sum(start.begin(), start.end(), start.begin());
}

/// The graph of B^T by compressed columns, where B is a matrix with renamed rows. The columns come out ascending because j ascends.
template <class Row, class Rename>
Graph transposed(std::span<const Index> start, std::span<const Row> row, Rename&& renamed) {
  const Node n = static_cast<Node>(start.size() - 1);
  Graph result;
  result.start.assign(n + 1, 0);
  for (const Row r : row) ++result.start[renamed(r) + 1];
  counts_to_offsets(result.start);
  result.neighbour.resize(row.size());
  std::vector<Index> next(result.start.begin(), result.start.end() - 1);
  for (Node j = 0; j < n; ++j)
    for (Index k = start[j]; k < start[j + 1]; ++k) result.neighbour[next[renamed(row[k])]++] = j;
  return result;
}

/// Append the union of two ascending lists, without v itself.
void append_union(std::span<const Node> a, std::span<const Node> b, Node v, std::vector<Node>& out) {
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const Node x = j == b.size() || (i < a.size() && a[i] < b[j]) ? a[i] : b[j];
    if (i < a.size() && a[i] == x) ++i;
    if (j < b.size() && b[j] == x) ++j;
    if (x != v) out.push_back(x);
  }
}

/// A hash of node numbers whose sums rarely collide (the finaliser of splitmix64).
std::uint64_t hash_of(Index v) {
  std::uint64_t x = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Whether adj(v) + {v} == adj(w) + {w}, for v != w of the same degree.
bool same_closed_neighbourhood(const Graph& graph, Node v, Node w) {
  const auto a = graph.neighbours(v), b = graph.neighbours(w);
  if (!std::binary_search(a.begin(), a.end(), w)) return false;
  std::size_t i = 0, j = 0;
  for (std::size_t others = a.size() - 1; others > 0; --others) {
    if (a[i] == w) ++i;
    if (b[j] == v) ++j;
    if (a[i++] != b[j++]) return false;
  }
  return true;
}

}  // namespace

Graph symmetrised_graph(std::span<const Index> start, std::span<const Index> row,
                        std::span<const Node> new_row) {
  const Graph by_row =
      transposed(start, row, [&](Index r) { return new_row.empty() ? static_cast<Node>(r) : new_row[r]; });
  const Graph by_column = transposed<Node>(by_row.start, by_row.neighbour, [](Node v) { return v; });
  Graph graph;
  graph.start.reserve(start.size());
  graph.neighbour.reserve(row.size() + row.size() / 8);
  for (Node v = 0; v < by_row.nodes(); ++v) {
    append_union(by_row.neighbours(v), by_column.neighbours(v), v, graph.neighbour);
    graph.start.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

bool has_symmetric_pattern(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks) {
  const auto n = static_cast<Index>(start.size()) - 1;
  // each entry below the diagonal adds a mixed number of its place, each above it subtracts that of its image
  const auto sums = tasks.of_ranges(n, [&](Index begin, Index end) {
    std::uint64_t sum = 0;
    for (Index j = begin; j < end; ++j)
      for (Index k = start[j]; k < start[j + 1]; ++k) {
        const Index i = row[k];
        if (i > j) sum += hash_of(i * n + j);
        if (i < j) sum -= hash_of(j * n + i);
      }
    return sum;
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}) == 0;
}

Graph symmetric_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks) {
  const auto n = static_cast<Index>(start.size()) - 1;
  Graph graph;
  graph.start.resize(start.size());
  tasks.for_ranges(n, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      graph.start[j + 1] =
          start[j + 1] - start[j] - std::binary_search(row.begin() + start[j], row.begin() + start[j + 1], j);
  });
  counts_to_offsets(graph.start);
  graph.neighbour.resize(static_cast<std::size_t>(graph.start.back()));
  tasks.for_ranges(n, [&](Index begin, Index end) {
    Index next = graph.start[begin];
    for (Index j = begin; j < end; ++j)
      for (Index k = start[j]; k < start[j + 1]; ++k)
        if (row[k] != j) graph.neighbour[next++] = static_cast<Node>(row[k]);
  });
  return graph;
}

Graph pattern_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks) {
  return has_symmetric_pattern(start, row, tasks) ? symmetric_graph(start, row, tasks)
                                                  : symmetrised_graph(start, row, {});
}

std::vector<Node> indistinguishable_groups(const Graph& graph) {
  const Node n = graph.nodes();
  std::vector<std::uint64_t> hash(n);
  for (Node v = 0; v < n; ++v) {
    hash[v] = hash_of(v);
    for (Node w : graph.neighbours(v)) hash[v] += hash_of(w);
  }
  // Chains of group representatives by hash; a node joins the first that it cannot be told from.
  std::vector<Node> chain(n, -1), next(n, -1), group(n);
  Node groups = 0;
  for (Node v = 0; v < n; ++v) {
    Node& head = chain[hash[v] % static_cast<std::uint64_t>(n)];
    Node w = head;
    while (w >= 0 && (hash[w] != hash[v] || graph.degree(w) != graph.degree(v) ||
                      !same_closed_neighbourhood(graph, v, w)))
      w = next[w];
    if (w >= 0) {
      group[v] = group[w];
    } else {
      group[v] = groups++;
      next[v] = head;
      head = v;
    }
  }
  return group;
}

QuotientGraph quotient(const Graph& graph, std::span<const Node> group) {
  const Node n = graph.nodes();
  const Node groups = n == 0 ? 0 : *std::max_element(group.begin(), group.end()) + 1;
  QuotientGraph result;
  result.member_start.assign(groups + 1, 0);
  for (Node g : group) ++result.member_start[g + 1];
  counts_to_offsets(result.member_start);
  result.member.resize(n);
  std::vector<Index> next(result.member_start.begin(), result.member_start.end() - 1);
  for (Node v = 0; v < n; ++v) result.member[next[group[v]]++] = v;

  std::vector<Node>& out = result.graph.neighbour;
  std::vector<Node> seen_by(groups, -1);
  for (Node g = 0; g < groups; ++g) {
    const Index first = static_cast<Index>(out.size());
    seen_by[g] = g;
    for (Node v : result.members(g))
      for (Node w : graph.neighbours(v)) {
        if (seen_by[group[w]] == g) continue;
        seen_by[group[w]] = g;
        out.push_back(group[w]);
      }
    if (!std::is_sorted(out.begin() + first, out.end())) std::sort(out.begin() + first, out.end());
    result.graph.start.push_back(static_cast<Index>(out.size()));
  }
  return result;
}

QuotientGraph renumbered(const QuotientGraph& quotient, std::span<const Node> order, comm::Tasks& tasks) {
  const Graph& graph = quotient.graph;
  QuotientGraph result;
  std::vector<Node> number(order.size());
  result.graph.start.resize(order.size() + 1);
  result.member_start.resize(order.size() + 1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = static_cast<Node>(k);
    result.graph.start[k + 1] = result.graph.start[k] + graph.degree(order[k]);
    result.member_start[k + 1] = result.member_start[k] + quotient.weight(order[k]);
  }
  result.graph.neighbour.resize(graph.neighbour.size());
  result.member.resize(quotient.member.size());
  tasks.for_ranges(static_cast<Index>(order.size()), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto mine = result.graph.neighbour.begin() + result.graph.start[k];
      std::ranges::transform(graph.neighbours(order[k]), mine, [&](Node w) { return number[w]; });
      std::sort(mine, result.graph.neighbour.begin() + result.graph.start[k + 1]);
      std::ranges::copy(quotient.members(order[k]), result.member.begin() + result.member_start[k]);
    }
  });
  return result;
}

QuotientGraph trivial_quotient(Graph graph) {
  QuotientGraph result;
  const Node n = graph.nodes();
  result.graph = std::move(graph);
  result.member.resize(n);
  std::iota(result.member.begin(), result.member.end(), 0);
  result.member_start.resize(n + 1);
  std::iota(result.member_start.begin(), result.member_start.end(), Index{0});
  return result;
}

Graph expanded(const QuotientGraph& quotient) {
  Graph result;
  const auto add_members = [&](Node w, Index except) {
    for (Index i = quotient.member_start[w]; i < quotient.member_start[w + 1]; ++i)
      if (i != except) result.neighbour.push_back(static_cast<Node>(i));
  };
  for (Node v = 0; v < quotient.graph.nodes(); ++v) {
    const auto neighbours = quotient.graph.neighbours(v);
    const auto behind = std::lower_bound(neighbours.begin(), neighbours.end(), v);
    for (Index i = quotient.member_start[v]; i < quotient.member_start[v + 1]; ++i) {
      std::for_each(neighbours.begin(), behind, [&](Node w) { add_members(w, -1); });
      add_members(v, i);
      std::for_each(behind, neighbours.end(), [&](Node w) { add_members(w, -1); });
      result.start.push_back(static_cast<Index>(result.neighbour.size()));
    }
  }
  return result;
}

}  // namespace overlapack::sparse
