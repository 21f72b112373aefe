#include "sparse/multifrontal/plan/task_cuts.hpp"

namespace overlapack::sparse::multifrontal {

namespace {

/// Flops of the subtree under each front, and whether one rank owns all of it.
struct Subtrees {
  std::vector<double> flops;
  std::vector<bool> one_owner;
};

Subtrees subtrees_of(const AssemblyTree& tree, std::span<const double> flops, std::span<const int> owner) {
  const auto fronts = static_cast<std::size_t>(tree.fronts());
  Subtrees sub{std::vector<double>(fronts), std::vector<bool>(fronts, true)};
  for (Index f = 0; f < tree.fronts(); ++f) {
    sub.flops[f] += flops[f];
    if (owner[f] < 0) sub.one_owner[f] = false;
    const Index parent = tree.parent[f];
    if (parent < 0) continue;
    sub.flops[parent] += sub.flops[f];
    if (!sub.one_owner[f] || owner[f] != owner[parent]) sub.one_owner[parent] = false;
  }
  return sub;
}

}  // namespace

std::vector<Index> cut_into_tasks(const AssemblyTree& tree, std::span<const double> flops,
                                  const TaskSizes& sizes, std::span<const int> owner) {
  const Subtrees sub = subtrees_of(tree, flops, owner);
  const auto is_leaf = [&](Index f) { return sub.flops[f] <= sizes.most_flops && sub.one_owner[f]; };
  std::vector<Index> first_child(flops.size(), tree.fronts());
  for (Index f = tree.fronts() - 1; f >= 0; --f)
    if (tree.parent[f] >= 0) first_child[tree.parent[f]] = f;
  std::vector<Index> task_front{0};
  double task_flops = 0;  // of the last task
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index parent = tree.parent[f], previous = task_front.back() - 1;
    if (is_leaf(f) && parent >= 0 && is_leaf(parent)) continue;  // inside a larger subtree that is small, too
    const double more = is_leaf(f) ? sub.flops[f] : flops[f];
    bool joins = previous >= 0 && owner[previous] == owner[f] && task_flops + more <= sizes.most_flops;
    if (is_leaf(f))
      joins = joins && tree.parent[previous] == parent && (sizes.joins_parents || is_leaf(previous));
    else
      joins = joins && sizes.joins_parents && tree.parent[previous] == f &&
              first_child[f] >= task_front[task_front.size() - 2];
    if (joins) {
      task_flops += more;
      task_front.back() = f + 1;
    } else {
      task_flops = more;
      task_front.push_back(f + 1);
    }
  }
  return task_front;
}

}  // namespace overlapack::sparse::multifrontal
