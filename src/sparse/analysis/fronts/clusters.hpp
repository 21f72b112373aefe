#pragma once
#include "sparse/analysis/fronts/front_forest.hpp"

#include <algorithm>
#include <vector>

/// Orders the variables of each front by clusters: variables that are near each other in the graph become neighbours. A block of the front then
/// couples two regions, and is of low rank if the regions are apart.
namespace overlapack::sparse {

/// The number of clusters for so many variables of one front.
constexpr Index cluster_count(Index variables, Index width) {
  return std::max<Index>(1, (variables + width / 2) / width);
}
/// The first variable of cluster i. All clusters have nearly the same size. This formula is all that later stages know about clusters.
constexpr Index cluster_start(Index variables, Index count, Index i) { return variables * i / count; }

/// Order the positions of the elimination tree that each front eliminates by clusters.
/// by_front: positions, front after front; width: variables of a cluster; fronts with fewer variables are left unchanged
///
/// A front's variables are bisected recursively down to single clusters. Each bisection takes the first half of a breadth-first walk from one
/// end of the set to the other. Two variables count as neighbours if the graph has an edge or a path over one other node between them, since
/// separators are often not connected by themselves.
/// Cost    O(edges of the fronts' variables and their neighbours) for each halving
/// Source  Amestoy, Ashcraft, Boiteau, Buttari, L'Excellent, Weisbecker, SISC 37 (2015), section 3; the halves are of exact sizes
void order_by_clusters(const QuotientGraph& quotient, const EliminationTree& tree, const FrontForest& forest,
                       Index width, std::vector<Node>& by_front);

}  // namespace overlapack::sparse
