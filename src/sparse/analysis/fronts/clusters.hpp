#pragma once
#include "sparse/analysis/fronts/front_forest.hpp"

#include <algorithm>
#include <vector>

/// Variables of a front that are near each other in the graph come one after the other, so that blocks of the front are those of
/// two regions, and of low rank where the regions are apart.
namespace overlapack::sparse {

/// Into how many clusters so many variables of one front go.
constexpr Index cluster_count(Index variables, Index width) {
  return std::max<Index>(1, (variables + width / 2) / width);
}
/// Where cluster i begins: all have nearly the same size. Later fronts know clusters by this alone.
constexpr Index cluster_start(Index variables, Index count, Index i) { return variables * i / count; }

/// Puts the positions of the elimination tree that each front eliminates into the order of its clusters.
/// by_front: positions, front after front; width: of a cluster, in variables; fronts with fewer stay as they are
///
/// A front's variables are halved, and the halves halved, until a cluster is left: each time by a breadth-first walk from one end of
/// what is there to the other. Two of them are neighbours where the graph has an edge or a path over one other node, since
/// separators are often not connected by themselves.
/// Cost    O(edges of the fronts' variables and their neighbours) for each halving
/// Source  Amestoy, Ashcraft, Boiteau, Buttari, L'Excellent, Weisbecker, SISC 37 (2015), section 3; the halves are of exact sizes
void order_by_clusters(const QuotientGraph& quotient, const EliminationTree& tree, const FrontForest& forest,
                       Index width, std::vector<Node>& by_front);

}  // namespace overlapack::sparse
