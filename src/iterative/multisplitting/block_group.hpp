#pragma once
#include "iterative/multisplitting/inner_solver.hpp"

#include <vector>

namespace overlapack::iterative {

/// The ranks that solve with one block together. The first one is the leader: it has the rows of the block and iterates on them
/// in the team of all leaders. The others run the tasks that the leader broadcasts, until Task::end. In engines that move bytes
/// only inside calls, a wait for ranks of the group also moves the bytes of the iteration.
/// Source  paper 5, section 6.4: blocks that are solved in parallel inside an asynchronous iteration
class BlockGroup {
 public:
  enum class Task : std::uint8_t { prepare, solve, solve_adjoint, end };
  struct Order {
    Task task = Task::end;
    int solver = 0;  ///< number of the solver, in the order in which they were prepared
  };

  /// Shapes  ranks 0 .. g - 1 of `world` are the first group, and so on
  /// Sync    collective
  /// Errors  BadPlan unless ranks_per_block divides the number of ranks
  BlockGroup(comm::Rank& world, int ranks_per_block);

  bool is_leader() const { return group_->rank() == 0; }
  /// My block's index, which is its leader's rank among the leaders.
  int block() const { return world_.rank() / group_->size(); }
  /// "rank 3", "ranks 2 to 3"
  std::string ranks_text() const;

  comm::Rank& world() { return world_; }
  comm::Rank& ranks() { return *group_; }  ///< the team of this group
  /// For leaders: the team of all groups' leaders, by block.
  comm::Rank& leaders() { return leaders_ ? *leaders_ : world_; }

  /// Collective over the group: broadcasts the leader's next order.
  Order broadcast_order(Order of_leader);
  Order receive_order() { return broadcast_order(Order()); }

 private:
  comm::Rank& world_;
  std::unique_ptr<comm::Rank> group_, leaders_;
};

/// Errors  BadPlan unless ranks_per_block divides the number of ranks
void require_groups(int ranks, int ranks_per_block);

/// Makes a rank's part of the inner solver of a block of its group.
/// Shapes  block: on the leader, empty elsewhere
/// Sync    all groups make their solvers at the same time
template <class T>
using SharedFactory =
    std::function<std::unique_ptr<InnerSolver<T>>(BlockGroup& group, SparseMatrix<T> block)>;

/// The inner factory with which a leader iterates: its solvers send the tasks prepare and solve to the group, and take part in
/// them. Make one factory for all blocks of the group.
/// Shapes  group: pointer to the rank's current group, set before each run that calls the factory or a solver
template <class T>
InnerFactory<T> make_factory_on_leader(BlockGroup*& group, SharedFactory<T> factory);

/// On a rank that is not the leader: runs the leader's tasks until Task::end. mine: this rank's parts of the solvers, kept from
/// run to run.
/// Returns  the number of solves in which it took part
template <class T>
Index run_tasks_of_leader(BlockGroup& group, const SharedFactory<T>& factory,
                          std::vector<std::unique_ptr<InnerSolver<T>>>& mine);

}  // namespace overlapack::iterative
