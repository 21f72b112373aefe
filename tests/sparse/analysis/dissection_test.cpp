#include "sparse/analysis/dissection/dissection.hpp"

#include "base/random.hpp"
#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <gtest/gtest.h>
#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace overlapack::sparse {
namespace {

Graph graph_of(const std::vector<std::pair<Node, Node>>& edges, Node nodes) {
  std::vector<std::vector<Node>> rows(static_cast<std::size_t>(nodes));
  for (const auto& [v, w] : edges) {
    if (v == w) continue;
    rows[v].push_back(w);
    rows[w].push_back(v);
  }
  Graph graph;
  for (auto& row : rows) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    graph.neighbour.insert(graph.neighbour.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

Graph grid(Node x, Node y, Node z) {
  std::vector<std::pair<Node, Node>> edges;
  const auto node = [&](Node i, Node j, Node k) { return (i * y + j) * z + k; };
  for (Node i = 0; i < x; ++i)
    for (Node j = 0; j < y; ++j)
      for (Node k = 0; k < z; ++k) {
        if (i > 0) edges.emplace_back(node(i, j, k), node(i - 1, j, k));
        if (j > 0) edges.emplace_back(node(i, j, k), node(i, j - 1, k));
        if (k > 0) edges.emplace_back(node(i, j, k), node(i, j, k - 1));
      }
  return graph_of(edges, x * y * z);
}

Graph random_graph(Node nodes, double degree, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<Node, Node>> edges;
  for (Node i = 0; i < degree * nodes / 2; ++i)
    edges.emplace_back(static_cast<Node>(random.below(static_cast<std::uint64_t>(nodes))),
                       static_cast<Node>(random.below(static_cast<std::uint64_t>(nodes))));
  return graph_of(edges, nodes);
}

WeightedGraph weighted(const Graph& graph, std::uint64_t seed) {
  Random random(seed);
  WeightedGraph result{
      graph.start, graph.neighbour, std::vector<std::int32_t>(graph.neighbour.size(), 1), {}, 0};
  for (Node v = 0; v < graph.nodes(); ++v) {
    result.node_weight.push_back(seed == 0 ? 1 : 1 + static_cast<std::int32_t>(random.below(5)));
    result.weight += result.node_weight.back();
  }
  return result;
}

void expect_separates(const WeightedGraph& graph, const Bisection& found) {
  ASSERT_EQ(found.side.size(), graph.node_weight.size());
  std::array<std::int64_t, 3> weight{};
  for (Node v = 0; v < graph.nodes(); ++v) {
    weight[static_cast<std::size_t>(found.side[v])] += graph.node_weight[v];
    if (found.side[v] == Half::separator) continue;
    for (const Node w : graph.neighbours(v))
      ASSERT_TRUE(found.side[w] == Half::separator || found.side[w] == found.side[v]) << v << " - " << w;
  }
  EXPECT_EQ(weight, found.weight);
  EXPECT_EQ(weight[0] + weight[1] + weight[2], graph.weight);
}

Bisection bisection_of(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan = {}) {
  comm::Tasks tasks(2);
  return bisect(graph, seed, plan, tasks);
}

constexpr DenseRule no_node_is_dense{.least = std::numeric_limits<double>::infinity()};

std::vector<Node> order_of(const Graph& graph, int threads, const DissectionPlan& plan = {}) {
  comm::Tasks tasks(threads);
  return dissection_order(trivial_quotient(graph), no_node_is_dense, plan, tasks);
}

void expect_permutation(const std::vector<Node>& order, Node nodes) {
  std::vector<Node> sorted = order;
  std::ranges::sort(sorted);
  std::vector<Node> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
}

double flops_of(const Graph& graph, const std::vector<Node>& order) {
  const QuotientGraph variables = trivial_quotient(graph);
  const EliminationTree tree = elimination_tree(graph, order);
  double flops = 0;
  for (const Index count : column_counts(variables, tree))
    flops += static_cast<double>(count) * static_cast<double>(count);
  return flops;
}

TEST(Coarsen, KeepsWeightsAndEdges) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const WeightedGraph graph = weighted(random_graph(300, 1 + static_cast<double>(seed % 7), seed), seed);
    comm::Tasks tasks(2);
    const Node block = seed % 2 == 0 ? 40 : 1000;
    const Coarsening coarse = coarsen(graph, seed, 8, block, tasks);
    EXPECT_EQ(coarse.graph.weight, graph.weight);
    EXPECT_LT(coarse.graph.nodes(), graph.nodes());
    std::vector<std::int64_t> weight(static_cast<std::size_t>(coarse.graph.nodes()), 0);
    std::int64_t across = 0;
    for (Node v = 0; v < graph.nodes(); ++v) {
      weight[coarse.coarse_of[v]] += graph.node_weight[v];
      for (const Node w : graph.neighbours(v)) across += coarse.coarse_of[v] != coarse.coarse_of[w];
    }
    for (Node v = 0; v < coarse.graph.nodes(); ++v) {
      EXPECT_EQ(coarse.graph.node_weight[v], weight[v]);
      EXPECT_LE(weight[v], 8 + 4);
    }
    EXPECT_EQ(
        std::accumulate(coarse.graph.edge_weight.begin(), coarse.graph.edge_weight.end(), std::int64_t{0}),
        across);
  }
}

/// Stars have one heavy edge each: their leaves are joined by twos.
TEST(Coarsen, ShrinksStars) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 1; v < 1000; ++v) edges.emplace_back(0, v);
  const WeightedGraph star = weighted(graph_of(edges, 1000), 0);
  comm::Tasks tasks(2);
  for (const Node block : {100, 1000}) EXPECT_LT(coarsen(star, 1, 100, block, tasks).graph.nodes(), 520);
}

TEST(Bisect, FindsTwoSidesWithoutAnEdgeBetweenThem) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto size = static_cast<Node>(200 + 900 * seed);
    for (const Graph& graph : {random_graph(size, 3, seed + 1), grid(10 + static_cast<Node>(seed), 9, 20)}) {
      const WeightedGraph one = weighted(graph, seed);
      expect_separates(one, bisection_of(one, seed));
      BisectionPlan in_small_blocks;
      in_small_blocks.block = 60;
      expect_separates(one, bisection_of(one, seed, in_small_blocks));
    }
  }
}

TEST(Bisect, FindsTheMiddleOfGrids) {
  const WeightedGraph flat = weighted(grid(60, 20, 1), 0), cube = weighted(grid(16, 16, 16), 0);
  EXPECT_LE(bisection_of(flat, 1).separator_weight(), 21);
  EXPECT_LE(bisection_of(cube, 1).separator_weight(), 260);
  const Bisection of_cube = bisection_of(cube, 2);
  EXPECT_GE(std::min(of_cube.weight[0], of_cube.weight[1]), 4096 * 35 / 100);
}

TEST(Dissection, IsAPermutationOfAnyGraph) {
  for (const Node nodes : {0, 1, 2, 3, 119, 121}) expect_permutation(order_of(graph_of({}, nodes), 1), nodes);
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const auto nodes = static_cast<Node>(17 * seed * seed);
    const Graph graph = random_graph(nodes, 0.5 + static_cast<double>(seed % 8), seed);
    expect_permutation(order_of(graph, 1), nodes);
  }
}

TEST(Dissection, DoesNotDependOnThreads) {
  DissectionPlan plan;
  plan.task_nodes = 50;
  plan.bisection.block = 200;
  for (const Graph& graph : {grid(30, 30, 10), random_graph(6000, 3, 5)}) {
    const std::vector<Node> alone = order_of(graph, 1, plan);
    for (const int threads : {2, 3, 7, 16}) EXPECT_EQ(order_of(graph, threads, plan), alone) << threads;
  }
}

TEST(Dissection, EndsSoonOnExtremes) {
  std::vector<std::pair<Node, Node>> path, star, clique;
  constexpr Node many = 300000;
  for (Node v = 1; v < many; ++v) {
    path.emplace_back(v - 1, v);
    star.emplace_back(0, v);
  }
  for (Node v = 0; v < 400; ++v)
    for (Node w = 0; w < v; ++w) clique.emplace_back(v, w);
  expect_permutation(order_of(graph_of(path, many), 2), many);
  expect_permutation(order_of(graph_of(star, many), 2), many);
  expect_permutation(order_of(graph_of(clique, 400), 2), 400);
}

/// Flops beside METIS's; docs/performance.md has the same of real graphs.
TEST(Dissection, IsAsGoodAsMetis) {
  double log_sum = 0;
  int graphs = 0;
  for (const Graph& graph :
       {grid(24, 24, 24), grid(150, 150, 1), grid(60, 40, 6), random_graph(3000, 3, 2)}) {
    const double ratio =
        flops_of(graph, order_of(graph, 2)) / flops_of(graph, metis_order(trivial_quotient(graph)));
    EXPECT_LT(ratio, 1.3) << "graph " << graphs;
    log_sum += std::log(ratio);
    ++graphs;
  }
  EXPECT_LT(std::exp(log_sum / graphs), 1.1);
}

// 500 neighbours are fewer than 10 sqrt(10,000) and more than 100 times the mean.
TEST(DenseNodes, AreLastInEachOrder) {
  constexpr Node nodes = 10000, hub = 1234;
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 1; v < nodes; ++v) edges.emplace_back(v - 1, v);
  for (Node v = 0; v < nodes; v += 20) edges.emplace_back(hub, v);
  const QuotientGraph graph = trivial_quotient(graph_of(edges, nodes));
  comm::Tasks tasks(1);
  EXPECT_EQ(core_without_dense_nodes(graph.graph, {}).last, std::vector<Node>{hub});
  EXPECT_EQ(amd_order(graph).back(), hub);
  EXPECT_EQ(metis_order(graph).back(), hub);
  EXPECT_EQ(dissection_order(graph, {}, {}, tasks).back(), hub);
  EXPECT_TRUE(core_without_dense_nodes(graph.graph, no_node_is_dense).last.empty());
}

TEST(Dissection, EndsWithWhatPollThrows) {
  const Graph graph = grid(60, 60, 20);
  int polls = 0;
  comm::Tasks tasks(2);
  const QuotientGraph variables = trivial_quotient(graph);
  Dissection dissection(variables, no_node_is_dense, {}, tasks);
  const auto poll = [&](double) {
    if (++polls == 3) throw Error(Status::cancelled, "enough");
  };
  EXPECT_THROW(tasks.run([&] { dissection.begin(); }, poll), Error);
}

TEST(Dissection, LeavesWhatHasNotBegunWhenItGivesUp) {
  const QuotientGraph variables = trivial_quotient(grid(40, 40, 40));
  comm::Tasks tasks(1);
  Dissection dissection(variables, no_node_is_dense, {}, tasks);
  double ordered = 0;
  tasks.run([&] { dissection.begin(); },
            [&](double nodes) {
              ordered = nodes;
              dissection.cancel_remaining();
            });
  EXPECT_LT(ordered, 40 * 40 * 40 / 2);
}

/// Weight of the separators of one level, and the mean of METIS's over five seeds.
struct LevelWeights {
  double ours = 0, metis = 0;
};

double metis_separator(const WeightedGraph& graph) {
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbour(graph.neighbour.begin(), graph.neighbour.end()),
      weight(graph.node_weight.begin(), graph.node_weight.end()), part(weight.size());
  idx_t nodes = graph.nodes(), size = 0, options[METIS_NOPTIONS];
  constexpr int seeds = 5;
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = 200;  // as its nested dissection
    options[METIS_OPTION_SEED] = seed;
    METIS_ComputeVertexSeparator(&nodes, start.data(), neighbour.data(), weight.data(), options, &size,
                                 part.data());
    sum += static_cast<double>(size);
  }
  return sum / seeds;
}

WeightedGraph side_of(const WeightedGraph& graph, const Bisection& found, Half side) {
  std::vector<Node> number(found.side.size(), -1);
  WeightedGraph part;
  for (Node v = 0; v < graph.nodes(); ++v)
    if (found.side[v] == side) {
      number[v] = part.nodes();
      part.node_weight.push_back(graph.node_weight[v]);
      part.weight += graph.node_weight[v];
    }
  for (Node v = 0; v < graph.nodes(); ++v) {
    if (number[v] < 0) continue;
    for (const Node w : graph.neighbours(v))
      if (number[w] >= 0) part.neighbour.push_back(number[w]);
    part.start.push_back(static_cast<Index>(part.neighbour.size()));
  }
  part.edge_weight.assign(part.neighbour.size(), 1);
  return part;
}

void add_levels(const WeightedGraph& graph, std::span<LevelWeights> levels, std::uint64_t seed) {
  if (levels.empty()) return;
  const Bisection found = bisection_of(graph, seed);
  levels[0].ours += static_cast<double>(found.separator_weight());
  levels[0].metis += metis_separator(graph);
  for (const Half side : {Half::left, Half::right})
    add_levels(side_of(graph, found, side), levels.subspan(1), 2 * seed + (side == Half::left ? 1 : 2));
}

/// Good leaves could hide a bad bisector in the flops of an order.
TEST(Bisect, IsAsGoodAsMetisOnEachOfTheFirstLevels) {
  int graphs = 0;
  for (const Graph& graph :
       {grid(25, 25, 25), grid(150, 150, 1), grid(70, 40, 6), random_graph(6000, 3, 2)}) {
    std::array<LevelWeights, 4> levels;
    add_levels(weighted(graph, 0), levels, 1);
    for (std::size_t level = 0; level < levels.size(); ++level)
      EXPECT_LE(levels[level].ours, 1.2 * levels[level].metis) << "graph " << graphs << ", level " << level;
    ++graphs;
  }
}

}  // namespace
}  // namespace overlapack::sparse
