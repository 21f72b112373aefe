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
  /// A side with more than this share of a part's weight also ends its dissection, since each cut has to make progress.
  double most_side = 0.95;
  Node task_nodes = 2000;  ///< a smaller part is no task; the task that made it continues with it
  Node guess_from =
      40000;  ///< a part of at least so many nodes is bisected while another task tests whether it is connected
  std::uint64_t seed = 1;
};

/// Orders a graph by nested dissection: first the two sides of a separator, each in the same way, then the separator. Isolated nodes come
/// first, dense nodes last. The work is a set of tasks, which may run beside other tasks.
/// Cost    O(edges log nodes) x some tens
/// Source  George 1973; Karypis and Kumar 1998
class Dissection {
 public:
  Dissection(const QuotientGraph& quotient, const DenseRule& dense, const DissectionPlan& plan,
             comm::Tasks& tasks);
  ~Dissection();

  /// Begin; called inside a run of the tasks. Their progress counts the nodes of leaves. done: called in a task when order() is complete.
  void begin(std::function<void()> done = {});
  /// Give up the parts that have not begun. It may be called inside any task.
  void cancel_remaining();
  /// order[k], the node eliminated k-th. It depends on the graph and the plan alone, not on the threads.
  std::vector<Node> order() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// Run a dissection by itself and return its order.
std::vector<Node> dissection_order(const QuotientGraph& quotient, const DenseRule& dense,
                                   const DissectionPlan& plan, comm::Tasks& tasks);

}  // namespace overlapack::sparse
