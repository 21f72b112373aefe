#pragma once
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Which fronts become one task, on one rank.
struct TaskSizes {
  double most_flops = 0;  ///< of a task of several fronts; a task of a single front may have any number
  /// May a front join the task that has all of its children? A path of small fronts then becomes a few tasks.
  bool joins_parents = false;
};

/// Cuts the postorder of the fronts into tasks: the first front of each task, and the end of the last one.
/// All fronts of a task have one owner, and those whose parent is outside of it have the same parent.
/// owner: of each front, -1 where several ranks share it
std::vector<Index> cut_into_tasks(const AssemblyTree& tree, std::span<const double> flops,
                                  const TaskSizes& sizes, std::span<const int> owner);

}  // namespace overlapack::sparse::multifrontal
