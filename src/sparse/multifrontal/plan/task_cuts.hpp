#pragma once
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What becomes one task, on one rank.
struct TaskSizes {
  double most_flops = 0;  ///< of a run of sibling subtrees, in whose place a single front has any number
  /// Does a front go on with the task of its children, where one has all of them? So a path of small fronts is a few tasks.
  bool joins_parents = false;
};

/// The first fronts of tasks, and the end of the last one. A task has one owner, and one parent.
/// owner: of each front, -1 where several ranks share it
std::vector<Index> cut_into_tasks(const AssemblyTree& tree, std::span<const double> flops,
                                  const TaskSizes& sizes, std::span<const int> owner);

}  // namespace overlapack::sparse::multifrontal
