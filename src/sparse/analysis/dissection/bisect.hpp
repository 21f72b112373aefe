#pragma once
#include "sparse/analysis/dissection/separator.hpp"

namespace overlapack::sparse {

/// The effort and the thresholds of one bisection.
struct BisectionPlan {
  SeparatorRule rule;
  Node coarsest = 60;  ///< nodes of the coarsest graph
  GrowthPlan growth;
  double least_shrinking = 0.95;  ///< coarsening ends if a level leaves more than this share of the nodes
  Node block = 4000;              ///< nodes that one task coarsens
  /// A graph with at least so many nodes is coarsened early_levels times and then bisected `cycles` times. The best of these bisections is
  /// refined on all finer graphs.
  Node cycles_from = 5000;
  int early_levels = 4, cycles = 2;
  /// For graphs with at least so many nodes level_bisection is tried, too. It is refined if it costs at most distances_worth x the other.
  Node distances_from = 500;
  double distances_worth = 1.3;
};

/// Find two sides and a separator of a connected graph by a multilevel method: coarsen the graph, bisect the coarsest one, and refine the
/// bisection on each finer graph. For large graphs, independent work runs on the threads of `tasks`.
/// Cost    O(edges) x some tens
/// Source  Karypis and Kumar 1998; several separators of a coarser graph as in METIS 5
Bisection bisect(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan,
                 comm::Tasks& tasks);

}  // namespace overlapack::sparse
