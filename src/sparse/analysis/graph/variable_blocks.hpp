#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <vector>

namespace overlapack::sparse {

/// How the variables of one point of a mesh are numbered: displacements, velocities, concentrations.
struct VariableBlocks {
  Node size = 1;  ///< variables of a point; 1: none were found
  bool by_component =
      false;  ///< all first variables, then all second ones, ...; else those of a point follow each other
};

/// What decides whether variables are taken together.
struct VariableBlockRule {
  Node most = 8;               ///< variables of a point
  Node least_points = 1000;    ///< of smaller graphs nothing is looked for
  Node sample = 400;           ///< points that are looked at, evenly spread
  double least_density = 0.5;  ///< share of the blocks' entries that are edges or diagonal
  double least_ratio = 1.2;    ///< of it and the largest density of blocks out of phase
  Node most_joined = 2;        ///< blocks that pairs of a matching may join to one group
  double least_alike =
      0.75;  ///< share of the neighbours of a block's halves that both have, or they are two points
};

/// The largest blocks whose entries are dense, and denser than blocks of the same size out of phase: those that begin a variable later,
/// or whose components are shifted against each other. Neighbourhoods would not show them: components that do not couple are zero.
/// Cost    O(nodes + most^2 x sample x degree)
VariableBlocks variable_blocks(const Graph& graph, const VariableBlockRule& rule = {});

/// variable -> its block, numbered by first members. A block whose halves have other neighbours is two points with half as many
/// variables: shells with rotations on a solid without them.
/// Cost    O(edges)
std::vector<Node> block_groups(const Graph& graph, const VariableBlocks& blocks,
                               const VariableBlockRule& rule = {});

/// The finest groups that neither of two ways to group divides; numbered by first members.
std::vector<Node> joined_groups(std::vector<Node> a, std::vector<Node> b);

}  // namespace overlapack::sparse
