#include "base/random.hpp"
#include "sparse/analysis/dissection/weighted_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overlapack::sparse {
namespace {

/// Nodes by classes of degree, in each of them at random.
std::vector<Node> order_of_visits(const WeightedGraph& graph, std::uint64_t seed) {
  const Node n = graph.nodes();
  const double mean = static_cast<double>(graph.neighbour.size()) / std::max<Node>(n, 1);
  const auto classes = static_cast<Node>(0.7 * mean) + 2;
  const auto class_of = [&](Node v) {
    return std::min(static_cast<Node>(std::sqrt(1.0 + static_cast<double>(graph.degree(v)))), classes - 1);
  };
  std::vector<Node> shuffled(static_cast<std::size_t>(n));
  std::iota(shuffled.begin(), shuffled.end(), 0);
  Random random(seed);
  for (Node i = n - 1; i > 0; --i)
    std::swap(shuffled[i], shuffled[random.below(static_cast<std::uint64_t>(i) + 1)]);
  std::vector<Node> first(static_cast<std::size_t>(classes) + 1, 0), order(shuffled.size());
  for (Node v = 0; v < n; ++v) ++first[class_of(v) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (const Node v : shuffled) order[first[class_of(v)]++] = v;
  return order;
}

class NodeMatching {
 public:
  NodeMatching(const WeightedGraph& graph, std::int64_t most_weight)
      : graph_(graph), most_weight_(most_weight), mate_(static_cast<std::size_t>(graph.nodes()), -1) {}

  void along_heavy_edges(std::span<const Node> order) {
    for (const Node v : order) {
      if (mate_[v] >= 0) continue;
      Node best = -1;
      std::int32_t heaviest = 0;
      for (Index e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        const Node w = graph_.neighbour[e];
        if (mate_[w] >= 0 || graph_.edge_weight[e] <= heaviest || !fits(v, w)) continue;
        heaviest = graph_.edge_weight[e];
        best = w;
      }
      if (best >= 0) join(v, best);
    }
  }

  /// Those left alone beside the same node, in pairs: leaves of stars.
  void by_common_neighbours() {
    for (Node hub = 0; hub < graph_.nodes(); ++hub) {
      Node waiting = -1;
      for (const Node v : graph_.neighbours(hub)) {
        if (mate_[v] >= 0) continue;
        if (waiting >= 0 && fits(waiting, v)) {
          join(waiting, v);
          waiting = -1;
        } else {
          waiting = v;
        }
      }
    }
  }

  Node pairs() const { return pairs_; }
  std::vector<Node> take() {
    for (Node v = 0; v < graph_.nodes(); ++v)
      if (mate_[v] < 0) mate_[v] = v;
    return std::move(mate_);
  }

 private:
  bool fits(Node v, Node w) const {
    return std::int64_t{graph_.node_weight[v]} + graph_.node_weight[w] <= most_weight_;
  }
  void join(Node v, Node w) {
    mate_[v] = w;
    mate_[w] = v;
    ++pairs_;
  }

  const WeightedGraph& graph_;
  std::int64_t most_weight_;
  std::vector<Node> mate_;
  Node pairs_ = 0;
};

Coarsening contracted(const WeightedGraph& graph, std::span<const Node> mate, Node coarse_nodes) {
  const Node n = graph.nodes();
  Coarsening result;
  result.coarse_of.resize(static_cast<std::size_t>(n));
  WeightedGraph& coarse = result.graph;
  coarse.weight = graph.weight;
  coarse.node_weight.reserve(static_cast<std::size_t>(coarse_nodes));
  coarse.start.reserve(static_cast<std::size_t>(coarse_nodes) + 1);
  coarse.neighbour.reserve(graph.neighbour.size() / 2);
  coarse.edge_weight.reserve(graph.neighbour.size() / 2);
  Node next = 0;
  for (Node v = 0; v < n; ++v)
    if (v <= mate[v]) result.coarse_of[v] = result.coarse_of[mate[v]] = next++;
  // coarse node -> where the edge to it stands in the list that is being made, if behind its begin
  std::vector<Index> place(static_cast<std::size_t>(coarse_nodes), -1);
  for (Node v = 0; v < n; ++v) {
    if (v > mate[v]) continue;
    const Node self = result.coarse_of[v];
    const auto begin = static_cast<Index>(coarse.neighbour.size());
    const auto add = [&](Node u) {
      for (Index e = graph.start[u]; e < graph.start[u + 1]; ++e) {
        const Node to = result.coarse_of[graph.neighbour[e]];
        if (to == self) continue;
        Index& at = place[to];
        if (at >= begin) {
          coarse.edge_weight[at] += graph.edge_weight[e];
        } else {
          at = static_cast<Index>(coarse.neighbour.size());
          coarse.neighbour.push_back(to);
          coarse.edge_weight.push_back(graph.edge_weight[e]);
        }
      }
    };
    add(v);
    if (mate[v] != v) add(mate[v]);
    coarse.node_weight.push_back(graph.node_weight[v] + (mate[v] != v ? graph.node_weight[mate[v]] : 0));
    coarse.start.push_back(static_cast<Index>(coarse.neighbour.size()));
  }
  return result;
}

}  // namespace

Coarsening coarsen(const WeightedGraph& graph, std::uint64_t seed, std::int64_t most_weight) {
  constexpr double many_alone = 0.1;
  NodeMatching matching(graph, most_weight);
  matching.along_heavy_edges(order_of_visits(graph, seed));
  const Node n = graph.nodes();
  if (n - 2 * matching.pairs() > many_alone * n) matching.by_common_neighbours();
  const Node coarse_nodes = n - matching.pairs();
  return contracted(graph, matching.take(), coarse_nodes);
}

}  // namespace overlapack::sparse
