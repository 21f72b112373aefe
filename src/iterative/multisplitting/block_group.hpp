#pragma once
#include "iterative/multisplitting/inner_solver.hpp"

namespace overlapack::iterative {

/// The ranks that solve with one block together. The first of them leads: it has the rows of the block and iterates on
/// them, in the team of all leaders; the others take part in what it asks for, until it ends. A group of one has nobody to
/// ask. Where bytes move in calls, waits for ranks of the group move those of the iteration as well.
/// Source  paper 5, section 6.4: blocks that are solved in parallel inside of an asynchronous iteration
class BlockGroup {
 public:
  enum class Task : std::uint8_t { prepare, solve, end };

  /// Shapes  ranks 0 .. g - 1 of `world` are the first group, and so on
  /// Sync    collective
  /// Errors  BadPlan unless ranks_per_block divides the number of ranks
  BlockGroup(comm::Rank& world, int ranks_per_block);

  bool is_leader() const { return group_->rank() == 0; }
  /// My block's number, that of its leader among the leaders.
  int block() const { return world_.rank() / group_->size(); }
  /// "rank 3", "ranks 2 to 3"
  std::string ranks_text() const;

  comm::Rank& world() { return world_; }
  comm::Rank& ranks() { return *group_; }  ///< of this group
  comm::Rank& leaders() {
    return leaders_ ? *leaders_ : world_;
  }  ///< for leaders: those of all groups, by block

  /// Collective over the group: what the leader wants done next.
  Task next(Task of_leader = Task::end);

 private:
  comm::Rank& world_;
  std::unique_ptr<comm::Rank> group_, leaders_;
};

/// Errors  BadPlan unless ranks_per_block divides the number of ranks
void require_groups(int ranks, int ranks_per_block);

/// Makes a rank's share of what solves with the block of its group.
/// Shapes  block: on the leader, empty elsewhere
/// Sync    all groups make theirs at the same time
template <class T>
using SharedFactory =
    std::function<std::unique_ptr<InnerSolver<T>>(BlockGroup& group, SparseMatrix<T> block)>;

/// What a leader's SchwarzBlock makes its inner solver with: asks the group to do it, and to solve.
/// Shapes  group: where to find the rank's group in each run in which the factory or the solver is called
template <class T>
InnerFactory<T> led(BlockGroup*& group, SharedFactory<T> factory);

/// What a rank that does not lead does until the leader says that it is the end; `mine` is its share, kept from run to run.
/// Returns  solves in which it took part
template <class T>
Index serve(BlockGroup& group, const SharedFactory<T>& factory, std::unique_ptr<InnerSolver<T>>& mine);

}  // namespace overlapack::iterative
