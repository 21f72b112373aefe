#pragma once
#include "sparse/analysis/dissection/separator.hpp"

namespace overlapack::sparse {

/// How much is done for a separator.
struct BisectionPlan {
  SeparatorRule rule;
  Node coarsest = 60;       ///< nodes of the coarsest graph
  int grown = 2;            ///< tries there
  Node cycles_from = 5000;  ///< a graph of so many nodes is coarsened `early_levels` times, then bisected
  int early_levels = 4;
  Node distances_from = 500;     ///< of graphs of so many nodes a level of distances is tried, too
  double distances_worth = 1.3;  ///< if it costs at most so much more before it is refined
  int cycles = 4;                ///< so often, of which the best is refined to the finest
};

/// Two sides and a separator of a connected graph, by levels.
/// Cost    O(edges) x some tens
/// Source  Karypis and Kumar 1998; several separators of a coarser graph as in METIS 5
Bisection bisect(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan);

}  // namespace overlapack::sparse
