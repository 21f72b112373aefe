#include "sparse/analysis/graph/variable_blocks.hpp"

#include "base/random.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/matrix/triplets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace overlapack::sparse {
namespace {

Graph generated_graph(const char* kind, Index size) {
  const SparseMatrix<double> A = generate(kind, size);
  return symmetrised_graph(A.start, A.row, {});
}

/// Points of a grid of 7-point stars, `fields` variables each; those of two points are joined with the given share.
Graph fields_on_grid(Node side, Node fields, double share, std::uint64_t seed) {
  Random random(seed);
  Triplets<double> entries;
  entries.rows = entries.cols = Index{side} * side * side * fields;
  const auto variable = [&](Node x, Node y, Node z, Node f) {
    return ((Index{x} * side + y) * side + z) * fields + f;
  };
  const auto join = [&](Index i, Index j) {
    entries.add(i, j, 1.0);
    entries.add(j, i, 1.0);
  };
  for (Node x = 0; x < side; ++x)
    for (Node y = 0; y < side; ++y)
      for (Node z = 0; z < side; ++z)
        for (Node f = 0; f < fields; ++f)
          for (Node g = 0; g < fields; ++g) {
            const bool is_joined = f == g || random.uniform() < share;
            if (f != g && random.uniform() < share) join(variable(x, y, z, f), variable(x, y, z, g));
            if (!is_joined) continue;
            if (x + 1 < side) join(variable(x, y, z, f), variable(x + 1, y, z, g));
            if (y + 1 < side) join(variable(x, y, z, f), variable(x, y + 1, z, g));
            if (z + 1 < side) join(variable(x, y, z, f), variable(x, y, z + 1, g));
          }
  const SparseMatrix<double> A = compress(std::move(entries)).matrix;
  return symmetrised_graph(A.start, A.row, {});
}

Graph renumbered(const Graph& graph, const std::vector<Node>& name) {
  std::vector<std::vector<Node>> rows(static_cast<std::size_t>(graph.nodes()));
  for (Node v = 0; v < graph.nodes(); ++v)
    for (const Node w : graph.neighbours(v)) rows[name[v]].push_back(name[w]);
  Graph result;
  for (auto& row : rows) {
    std::ranges::sort(row);
    result.neighbour.insert(result.neighbour.end(), row.begin(), row.end());
    result.start.push_back(static_cast<Index>(result.neighbour.size()));
  }
  return result;
}

/// All first variables, then all second ones.
Graph by_component(const Graph& graph, Node fields) {
  const Node points = graph.nodes() / fields;
  std::vector<Node> name(static_cast<std::size_t>(graph.nodes()));
  for (Node v = 0; v < graph.nodes(); ++v) name[v] = v % fields * points + v / fields;
  return renumbered(graph, name);
}

TEST(VariableBlocks, AreTheFieldsOfAMesh) {
  for (const Node fields : {2, 3, 4, 6})
    for (const double share : {0.7, 1.0}) {
      const Graph graph = fields_on_grid(12, fields, share, 3);
      const VariableBlocks found = variable_blocks(graph);
      EXPECT_EQ(found.size, fields) << share;
      EXPECT_FALSE(found.by_component);
      const VariableBlocks apart = variable_blocks(by_component(graph, fields));
      EXPECT_EQ(apart.size, fields) << share;
      EXPECT_TRUE(apart.by_component);
    }
}

TEST(VariableBlocks, AreThreeOfElasticity) {
  const Graph graph = generated_graph("elasticity", 14);
  EXPECT_EQ(variable_blocks(graph).size, 3);
  const std::vector<Node> groups = block_groups(graph, variable_blocks(graph));
  EXPECT_EQ(groups[5], 1);
  EXPECT_EQ(*std::ranges::max_element(groups) + 1, graph.nodes() / 3);
}

/// Six variables a point, then three: two of the latter make a block of six, and are told apart by their neighbours. Where a line of
/// points ends both have nearly the same.
TEST(VariableBlocks, OfMixedMeshesAreCut) {
  constexpr Node side = 12, points = side * side * side;
  const Graph shell = fields_on_grid(side, 6, 1, 3), solid = fields_on_grid(side, 3, 1, 3);
  Graph mixed = shell;
  for (const Node w : solid.neighbour) mixed.neighbour.push_back(shell.nodes() + w);
  for (std::size_t v = 1; v < solid.start.size(); ++v)
    mixed.start.push_back(shell.start.back() + solid.start[v]);
  const VariableBlocks found = variable_blocks(mixed);
  EXPECT_EQ(found.size, 6);
  const std::vector<Node> groups = block_groups(mixed, found);
  for (Node v = 0; v < 6 * points; ++v) ASSERT_EQ(groups[static_cast<std::size_t>(v)], v / 6);
  const Node of_solid = *std::ranges::max_element(groups) + 1 - points;
  EXPECT_GE(of_solid, points * (side - 2) / side);
  EXPECT_LE(of_solid, points);
  EXPECT_TRUE(std::ranges::is_sorted(groups));
}

/// A stencil has none, whatever its density: blocks out of phase are as dense.
TEST(VariableBlocks, AreNotSeenInScalarProblems) {
  EXPECT_EQ(variable_blocks(fields_on_grid(20, 1, 0, 1)).size, 1);
  EXPECT_EQ(variable_blocks(generated_graph("cube", 16)).size, 1);
  EXPECT_EQ(variable_blocks(generated_graph("convection", 16)).size, 1);
  EXPECT_EQ(variable_blocks(generated_graph("random", 12000)).size, 1);
  EXPECT_EQ(variable_blocks(generated_graph("saddle", 10)).size, 1);
}

TEST(VariableBlocks, AreNotLookedForInSmallGraphs) {
  EXPECT_EQ(variable_blocks({}).size, 1);
  EXPECT_EQ(variable_blocks(fields_on_grid(4, 3, 1, 1)).size, 1);
}

/// In a random numbering nothing says which variables belong together.
TEST(VariableBlocks, AreLostInARandomNumbering) {
  Graph graph = fields_on_grid(12, 3, 1, 3);
  std::vector<Node> name(static_cast<std::size_t>(graph.nodes()));
  std::iota(name.begin(), name.end(), 0);
  Random random(7);
  for (std::size_t i = name.size(); i-- > 1;) std::swap(name[i], name[random.below(i + 1)]);
  EXPECT_EQ(variable_blocks(renumbered(graph, name)).size, 1);
}

TEST(JoinedGroups, AreNotDividedByEither) {
  EXPECT_EQ(joined_groups({0, 0, 1, 2, 2}, {0, 1, 1, 2, 3}), (std::vector<Node>{0, 0, 0, 1, 1}));
  EXPECT_EQ(joined_groups({0, 1, 2}, {0, 1, 2}), (std::vector<Node>{0, 1, 2}));
  EXPECT_EQ(joined_groups({0, 1, 2, 0}, {0, 1, 1, 2}), (std::vector<Node>{0, 1, 1, 0}));
  EXPECT_TRUE(joined_groups({}, {}).empty());
}

/// 12^3 points of 3 variables: no point is divided, and parts are about as large as each other.
TEST(VariableBlocks, APartitionDividesNoPoint) {
  const Graph graph = fields_on_grid(12, 3, 1, 1);
  for (const int parts : {2, 7, 40}) {
    const std::vector<int> part = metis_partition(graph, parts);
    std::vector<int> size(static_cast<std::size_t>(parts));
    for (Node v = 0; v < graph.nodes(); ++v) {
      EXPECT_EQ(part[v], part[v - v % 3]);
      ++size[static_cast<std::size_t>(part[v])];
    }
    EXPECT_GT(std::ranges::min(size), graph.nodes() / parts / 2);
    EXPECT_LT(std::ranges::max(size), 2 * graph.nodes() / parts);
  }
  EXPECT_EQ(std::ranges::max(metis_partition(graph, graph.nodes())),
            graph.nodes() - 1);  // more parts than points
}

}  // namespace
}  // namespace overlapack::sparse
