#include "sparse/analysis/graph/pairs.hpp"

#include <algorithm>

namespace overlapack::sparse {
namespace {

/// The variables of a cycle in its order. An odd cycle is rotated so that its largest diagonal comes last.
std::vector<Index> cycle_from(Index first, std::span<const Index> next, std::span<const double> diagonal) {
  std::vector<Index> cycle{first};
  for (Index v = next[first]; v != first; v = next[v]) cycle.push_back(v);
  if (cycle.size() % 2 == 1) {
    const auto largest = std::max_element(cycle.begin(), cycle.end(),
                                          [&](Index a, Index b) { return diagonal[a] < diagonal[b]; });
    std::rotate(cycle.begin(), largest + 1, cycle.end());
  }
  return cycle;
}

/// For each node: the node that it waits for, or -1.
std::vector<Node> nodes_waited_for(const QuotientGraph& quotient, const PivotPartners& partners) {
  std::vector<Node> node_of(partners.partner.size()), result(quotient.graph.nodes(), -1);
  for (Node v = 0; v < quotient.graph.nodes(); ++v)
    for (Node member : quotient.members(v)) node_of[member] = v;
  for (Node v = 0; v < quotient.graph.nodes(); ++v) {
    const auto members = quotient.members(v);
    const Node other = node_of[partners.partner[members[0]]];
    const bool all_wait =
        std::all_of(members.begin(), members.end(), [&](Node m) { return partners.waits[m]; });
    if (all_wait && other != v) result[v] = other;
  }
  return result;
}

}  // namespace

PivotPartners pivot_partners(std::span<const Index> row_of_column, std::span<const double> diagonal,
                             double large_diagonal) {
  const Index n = static_cast<Index>(row_of_column.size());
  PivotPartners result{std::vector<Node>(n, -1), std::vector<char>(n)};
  for (Index v = 0; v < n; ++v) {
    result.waits[v] = diagonal[v] < large_diagonal;
    if (result.partner[v] >= 0) continue;
    const std::vector<Index> cycle = cycle_from(v, row_of_column, diagonal);
    for (Index u : cycle) result.partner[u] = static_cast<Node>(u);
    for (std::size_t k = 0; k + 1 < cycle.size(); k += 2) {
      const Index a = cycle[k], b = cycle[k + 1];
      if (std::min(diagonal[a], diagonal[b]) >= large_diagonal) continue;
      result.partner[a] = static_cast<Node>(b);
      result.partner[b] = static_cast<Node>(a);
    }
  }
  return result;
}

std::vector<Node> pair_groups(const PivotPartners& partners) {
  std::vector<Node> group(partners.partner.size());
  Node groups = 0;
  for (Node v = 0; v < static_cast<Node>(group.size()); ++v) {
    const Node other = partners.partner[v];
    group[v] = other < v ? group[other] : groups++;
  }
  return group;
}

std::vector<Node> placed_after_partners(const QuotientGraph& quotient, const PivotPartners& partners,
                                        std::span<const Node> order) {
  const Node nodes = quotient.graph.nodes();
  const std::vector<Node> waits_for = nodes_waited_for(quotient, partners);
  std::vector<char> is_placed(nodes, 0);
  std::vector<Node> follows(nodes, -1);  // one in the row before it
  std::vector<Node> first_follower(nodes, -1), next_follower(nodes, -1), result, ready;
  result.reserve(nodes);
  // The end of a row of waiting nodes; the way there is half as long the next time.
  const auto last_leader = [&](Node w) {
    for (; follows[w] >= 0; w = follows[w])
      if (follows[follows[w]] >= 0) follows[w] = follows[follows[w]];
    return w;
  };
  const auto must_follow = [&](Node v) {
    const Node leader = waits_for[v];
    if (leader < 0 || is_placed[leader]) return false;
    if (last_leader(leader) == v) return false;  // somebody in a ring of waiting nodes has to go first
    const auto neighbours = quotient.graph.neighbours(v);
    return std::none_of(neighbours.begin(), neighbours.end(), [&](Node w) { return is_placed[w]; });
  };
  for (Node v : order) {
    if (must_follow(v)) {
      const Node leader = waits_for[v];
      follows[v] = leader;
      next_follower[v] = first_follower[leader];
      first_follower[leader] = v;
      continue;
    }
    ready.assign(1, v);
    while (!ready.empty()) {
      const Node placed = ready.back();
      ready.pop_back();
      is_placed[placed] = 1;
      result.push_back(placed);
      for (Node w = first_follower[placed]; w >= 0; w = next_follower[w]) ready.push_back(w);
    }
  }
  return result;
}

}  // namespace overlapack::sparse
