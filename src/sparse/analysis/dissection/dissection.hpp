#pragma once
#include "sparse/analysis/dissection/bisect.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <functional>
#include <memory>

namespace overlapack::sparse {

struct DissectionPlan {
  BisectionPlan bisection;
  Node leaf = 160;  ///< nodes of a part that is ordered by minimum degree
  /// A separator of more than this share of a part's weight ends its dissection: minimum degree does better there.
  double most_separator = 0.35;
  double most_side = 0.95;  ///< the same of a side: each cut has to take something off
  Node task_nodes = 2000;   ///< a smaller part is done by whoever has made it
  Node guess_from = 40000;  ///< a part of so many nodes is cut while it is looked at whether it is connected
  std::uint64_t seed = 1;
};

/// Nested dissection: the sides of a separator first, each in the same way, then the separator. Isolated nodes come first, dense ones
/// last. Its tasks may run beside others.
/// Cost    O(edges log nodes) x some tens
/// Source  George 1973; Karypis and Kumar 1998
class Dissection {
 public:
  Dissection(const QuotientGraph& quotient, const DenseRule& dense, const DissectionPlan& plan,
             comm::Tasks& tasks);
  ~Dissection();

  /// From inside of a run of the tasks, which count the nodes of leaves. done: called in a task when order() is there.
  void begin(std::function<void()> done = {});
  /// What has not begun is left; from inside of any task.
  void cancel_remaining();
  /// order[k], the node eliminated k-th. It depends on the graph and the plan alone, not on the threads.
  std::vector<Node> order() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// The order of a dissection that runs alone.
std::vector<Node> dissection_order(const QuotientGraph& quotient, const DenseRule& dense,
                                   const DissectionPlan& plan, comm::Tasks& tasks);

}  // namespace overlapack::sparse
