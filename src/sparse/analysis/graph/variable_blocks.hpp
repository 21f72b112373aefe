#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <vector>

namespace overlapack::sparse {

/// How the variables of one point of a mesh (displacements, velocities, concentrations) are numbered. All points have the same number.
struct VariableBlocks {
  Node size = 1;  ///< variables of a point; 1: none were found
  /// all first variables, then all second ones, ...; else those of a point follow each other
  bool by_component = false;
};

/// The thresholds by which variables are grouped to points.
struct VariableBlockRule {
  Node most = 8;             ///< most variables of a point
  Node least_points = 1000;  ///< graphs with fewer points have no blocks
  Node sample = 400;         ///< number of points that are examined, evenly spread
  double least_density =
      0.5;  ///< least density: share of the blocks' entries that are edges or on the diagonal
  double least_ratio = 1.2;  ///< least ratio of this density to the largest density of blocks out of phase
  Node most_joined = 2;      ///< most blocks that pairs of a matching may join to one group
  /// share of the neighbours of a block's halves that both have, or they are two points
  double least_alike = 0.75;
};

/// Find the largest block size whose blocks are dense, and denser than blocks of the same size out of phase. Blocks out of phase begin a
/// variable later, or have components that are shifted against each other. Equal neighbourhoods would not show the blocks, since components
/// that do not couple have no entries.
/// Cost    O(nodes + most^2 x sample x degree)
VariableBlocks variable_blocks(const Graph& graph, const VariableBlockRule& rule = {});

/// The block of each variable, numbered by first members. A block whose halves have different neighbours is taken as two points with half as
/// many variables each. Such blocks occur if shells with rotations are on a solid without them.
/// Cost    O(edges)
std::vector<Node> block_groups(const Graph& graph, const VariableBlocks& blocks,
                               const VariableBlockRule& rule = {});

/// The finest grouping in which the groups of both a and b are whole, numbered by first members.
std::vector<Node> joined_groups(std::vector<Node> a, std::vector<Node> b);

}  // namespace overlapack::sparse
