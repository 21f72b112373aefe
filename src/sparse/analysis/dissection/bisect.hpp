#pragma once
#include "sparse/analysis/dissection/separator.hpp"

namespace overlapack::sparse {

/// How much is done for a separator.
struct BisectionPlan {
  SeparatorRule rule;
  Node coarsest = 60;  ///< nodes of the coarsest graph
  GrowthPlan growth;
  double least_shrinking = 0.95;  ///< share of the nodes left by a level that ends coarsening
  Node block = 4000;              ///< nodes that one task coarsens
  /// A graph of so many nodes is coarsened early_levels times, then bisected `cycles` times; the best is refined up to the finest.
  Node cycles_from = 5000;
  int early_levels = 4, cycles = 2;
  /// Of graphs of so many nodes a level of distances is tried, too, and refined if it costs at most distances_worth x the other.
  Node distances_from = 500;
  double distances_worth = 1.3;
};

/// Two sides and a separator of a connected graph, by levels. Of large graphs what is independent are parts of `tasks`.
/// Cost    O(edges) x some tens
/// Source  Karypis and Kumar 1998; several separators of a coarser graph as in METIS 5
Bisection bisect(const WeightedGraph& graph, std::uint64_t seed, const BisectionPlan& plan,
                 comm::Tasks& tasks);

}  // namespace overlapack::sparse
