#include "base/random.hpp"
#include "comm/tasks.hpp"
#include "sparse/analysis/dissection/weighted_graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace overlapack::sparse {
namespace {

/// Nodes begin, ..., end - 1.
struct Block {
  Node begin, end;
  Node nodes() const { return end - begin; }
  bool has(Node v) const { return v >= begin && v < end; }
};

/// The order in which nodes of a block are visited: by classes of degree, at random within a class.
std::vector<Node> order_of_visits(const WeightedGraph& graph, Block block, std::uint64_t seed) {
  const double mean = static_cast<double>(graph.neighbour.size()) / std::max<Node>(graph.nodes(), 1);
  const auto classes = static_cast<Node>(0.7 * mean) + 2;
  const auto class_of = [&](Node v) {
    return std::min(static_cast<Node>(std::sqrt(1.0 + static_cast<double>(graph.degree(v)))), classes - 1);
  };
  std::vector<Node> shuffled(static_cast<std::size_t>(block.nodes()));
  std::iota(shuffled.begin(), shuffled.end(), block.begin);
  Random random(seed);
  for (Node i = block.nodes() - 1; i > 0; --i)
    std::swap(shuffled[i], shuffled[random.below(static_cast<std::uint64_t>(i) + 1)]);
  std::vector<Node> first(static_cast<std::size_t>(classes) + 1, 0), order(shuffled.size());
  for (const Node v : shuffled) ++first[class_of(v) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (const Node v : shuffled) order[first[class_of(v)]++] = v;
  return order;
}

class NodeMatching {
 public:
  NodeMatching(const WeightedGraph& graph, std::int64_t most_weight)
      : graph_(graph), most_weight_(most_weight), mate_(static_cast<std::size_t>(graph.nodes()), -1) {}

  /// Pair nodes of a block with each other, along heavy edges.
  void along_heavy_edges(Block block, std::uint64_t seed) {
    for (const Node v : order_of_visits(graph_, block, seed))
      if (mate_[v] < 0) join_with_heaviest(v, block);
  }

  /// Pair single nodes with nodes of other blocks.
  void across_blocks() {
    for (Node v = 0; v < graph_.nodes(); ++v)
      if (mate_[v] < 0) join_with_heaviest(v, {0, graph_.nodes()});
  }

  /// Pair single nodes that have a common neighbour, such as the leaves of a star.
  void by_common_neighbours() {
    for (Node hub = 0; hub < graph_.nodes(); ++hub) {
      Node waiting = -1;
      for (const Node v : graph_.neighbours(hub)) {
        if (mate_[v] >= 0) continue;
        if (waiting >= 0 && may_join(waiting, v)) {
          join(waiting, v);
          waiting = -1;
        } else {
          waiting = v;
        }
      }
    }
  }

  Node count_unmatched() const { return static_cast<Node>(std::ranges::count(mate_, -1)); }
  std::vector<Node> take() {
    for (Node v = 0; v < graph_.nodes(); ++v)
      if (mate_[v] < 0) mate_[v] = v;
    return std::move(mate_);
  }

 private:
  void join_with_heaviest(Node v, Block block) {
    Node best = -1;
    std::int32_t heaviest = 0;
    for (Index e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
      const Node w = graph_.neighbour[e];
      if (!block.has(w) || mate_[w] >= 0 || graph_.edge_weight[e] <= heaviest || !may_join(v, w)) continue;
      heaviest = graph_.edge_weight[e];
      best = w;
    }
    if (best >= 0) join(v, best);
  }

  bool may_join(Node v, Node w) const {
    return std::int64_t{graph_.node_weight[v]} + graph_.node_weight[w] <= most_weight_;
  }
  void join(Node v, Node w) {
    mate_[v] = w;
    mate_[w] = v;
  }

  const WeightedGraph& graph_;
  std::int64_t most_weight_;
  std::vector<Node> mate_;
};

/// A hash table of the edges of one coarse node, in which edges to the same node are added up. It is emptied without a pass over the table.
class EdgeSums {
 public:
  /// Begin a new node, with at most `edges` edges.
  void begin(Index edges) {
    const auto slots = std::bit_ceil(static_cast<std::size_t>(2 * edges + 1));
    if (slots > slots_.size()) {
      slots_.resize(slots);
      to_.resize(slots / 2);
      weight_.resize(slots / 2);
    }
    mask_ = slots - 1;
    ++node_;
    size_ = 0;
  }

  void add(Node to, std::int32_t weight) {
    std::size_t i = static_cast<std::size_t>(to) & mask_;
    for (; slots_[i].node == node_; i = (i + 1) & mask_)
      if (to_[slots_[i].at] == to) {
        weight_[slots_[i].at] += weight;
        return;
      }
    slots_[i] = {node_, size_};
    to_[size_] = to;
    weight_[size_++] = weight;
  }

  std::span<const Node> neighbours() const { return {to_.data(), static_cast<std::size_t>(size_)}; }
  std::span<const std::int32_t> weights() const { return {weight_.data(), static_cast<std::size_t>(size_)}; }

 private:
  struct Slot {
    Node node = -1;  ///< that it was last used for
    Node at = 0;
  };
  std::vector<Slot> slots_;
  std::vector<Node> to_;
  std::vector<std::int32_t> weight_;
  std::size_t mask_ = 0;
  Node node_ = 0, size_ = 0;
};

/// The part of the coarser graph that one block makes: the pairs whose first node is in the block.
struct CoarseBlock {
  std::vector<Index> degree;
  std::vector<Node> neighbour;
  std::vector<std::int32_t> edge_weight, node_weight;
};

CoarseBlock contracted(const WeightedGraph& graph, Block block, std::span<const Node> mate,
                       std::span<const Node> coarse_of) {
  CoarseBlock result;
  const auto edges = static_cast<std::size_t>(graph.start[block.end] - graph.start[block.begin]);
  result.neighbour.reserve(edges / 2);
  result.edge_weight.reserve(edges / 2);
  EdgeSums sums;
  for (Node v = block.begin; v < block.end; ++v) {
    const Node w = mate[v], self = coarse_of[v];
    if (v > w) continue;
    sums.begin(graph.degree(v) + (w != v ? graph.degree(w) : 0));
    const auto add = [&](Node u) {
      for (Index e = graph.start[u]; e < graph.start[u + 1]; ++e)
        if (const Node to = coarse_of[graph.neighbour[e]]; to != self) sums.add(to, graph.edge_weight[e]);
    };
    add(v);
    if (w != v) add(w);
    const auto neighbours = sums.neighbours();
    const auto weights = sums.weights();
    result.neighbour.insert(result.neighbour.end(), neighbours.begin(), neighbours.end());
    result.edge_weight.insert(result.edge_weight.end(), weights.begin(), weights.end());
    result.node_weight.push_back(graph.node_weight[v] + (w != v ? graph.node_weight[w] : 0));
    result.degree.push_back(static_cast<Index>(neighbours.size()));
  }
  return result;
}

/// Join the parts of all blocks to one graph.
WeightedGraph joined(const std::vector<CoarseBlock>& blocks, comm::Tasks& tasks) {
  std::vector<std::size_t> first_node{0}, first_edge{0};
  for (const CoarseBlock& block : blocks) {
    first_node.push_back(first_node.back() + block.degree.size());
    first_edge.push_back(first_edge.back() + block.neighbour.size());
  }
  WeightedGraph graph;
  graph.start.resize(first_node.back() + 1);
  graph.node_weight.resize(first_node.back());
  graph.neighbour.resize(first_edge.back());
  graph.edge_weight.resize(first_edge.back());
  tasks.for_each(static_cast<Index>(blocks.size()), [&](Index b) {
    const CoarseBlock& block = blocks[b];
    auto end = static_cast<Index>(first_edge[b]);
    for (std::size_t i = 0; i < block.degree.size(); ++i)
      graph.start[first_node[b] + i + 1] = end += block.degree[i];
    std::ranges::copy(block.node_weight, graph.node_weight.begin() + static_cast<Index>(first_node[b]));
    std::ranges::copy(block.neighbour, graph.neighbour.begin() + static_cast<Index>(first_edge[b]));
    std::ranges::copy(block.edge_weight, graph.edge_weight.begin() + static_cast<Index>(first_edge[b]));
  });
  return graph;
}

class NodeBlocks {
 public:
  NodeBlocks(Node nodes, Node most) : nodes_(nodes), count_(std::max<Node>(1, nodes / most)) {}
  Index count() const { return count_; }
  Block operator[](Index b) const { return {first(b), first(b + 1)}; }

 private:
  Node first(Index b) const { return static_cast<Node>(nodes_ * b / count_); }
  Index nodes_, count_;
};

/// The coarse node of each node. Coarse nodes are numbered in the order of the first nodes of the pairs.
std::vector<Node> numbers(const NodeBlocks& blocks, std::span<const Node> mate, comm::Tasks& tasks) {
  std::vector<Node> coarse_of(mate.size()), first(static_cast<std::size_t>(blocks.count()) + 1, 0);
  const auto is_first = [&](Node v) { return v <= mate[v]; };
  tasks.for_each(blocks.count(), [&](Index b) {
    for (Node v = blocks[b].begin; v < blocks[b].end; ++v) first[b + 1] += is_first(v);
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  tasks.for_each(blocks.count(), [&](Index b) {
    Node next = first[b];
    for (Node v = blocks[b].begin; v < blocks[b].end; ++v)
      if (is_first(v)) coarse_of[v] = next++;
  });
  tasks.for_each(blocks.count(), [&](Index b) {
    for (Node v = blocks[b].begin; v < blocks[b].end; ++v)
      if (!is_first(v)) coarse_of[v] = coarse_of[mate[v]];
  });
  return coarse_of;
}

std::vector<Node> pairs(const WeightedGraph& graph, const NodeBlocks& blocks, std::uint64_t seed,
                        std::int64_t most_weight, comm::Tasks& tasks) {
  constexpr double many_alone = 0.1;
  NodeMatching matching(graph, most_weight);
  tasks.for_each(blocks.count(), [&](Index b) {
    matching.along_heavy_edges(blocks[b], seed + static_cast<std::uint64_t>(b));
  });
  if (blocks.count() > 1) matching.across_blocks();
  if (matching.count_unmatched() > many_alone * graph.nodes()) matching.by_common_neighbours();
  return matching.take();
}

}  // namespace

Coarsening coarsen(const WeightedGraph& graph, std::uint64_t seed, std::int64_t most_weight, Node block_nodes,
                   comm::Tasks& tasks) {
  const NodeBlocks blocks(graph.nodes(), block_nodes);
  const std::vector<Node> mate = pairs(graph, blocks, seed, most_weight, tasks);
  Coarsening result;
  result.coarse_of = numbers(blocks, mate, tasks);
  std::vector<CoarseBlock> coarse(static_cast<std::size_t>(blocks.count()));
  tasks.for_each(blocks.count(),
                 [&](Index b) { coarse[b] = contracted(graph, blocks[b], mate, result.coarse_of); });
  result.graph = joined(coarse, tasks);
  result.graph.weight = graph.weight;
  return result;
}

}  // namespace overlapack::sparse
