#pragma once
#include "sparse/analysis/dissection/bisect.hpp"

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

struct DissectionPlan {
  BisectionPlan bisection;
  Node leaf = 160;  ///< nodes of a part that is ordered by minimum degree
  /// A separator of more than this share of a part's weight ends its dissection: minimum degree does better there.
  double most_separator = 0.35;
  double most_side = 0.95;  ///< the same of a side: each cut has to take something off
  Node task_nodes = 2000;   ///< a smaller part is done by whoever has made it
  std::uint64_t seed = 1;
};

/// Nested dissection: the sides of a separator first, each in the same way, then the separator.
/// Shapes  weight: of each node
/// Returns order[k], the node eliminated k-th. It depends on the graph and the plan alone, not on the threads of `tasks`, which count the nodes
/// of leaves.
/// Cost    O(edges log nodes) x some tens
/// Source  George 1973; Karypis and Kumar 1998
std::vector<Node> dissection_order(const Graph& graph, std::span<const std::int32_t> weight,
                                   const DissectionPlan& plan, comm::Tasks& tasks);

/// The same of a graph whose nodes stand for variables; isolated nodes come first, dense ones (dense_factor) last.
std::vector<Node> dissection_order(const QuotientGraph& quotient, double dense_factor,
                                   const DissectionPlan& plan, comm::Tasks& tasks);

}  // namespace overlapack::sparse
