#include "sparse/multifrontal/plan/task_cuts.hpp"

#include <gtest/gtest.h>

#include <vector>

/// How fronts become tasks (src/sparse/multifrontal/plan/task_cuts.hpp).
namespace overlapack::sparse::multifrontal {
namespace {

std::vector<Index> cut(std::vector<Index> parent, const std::vector<double>& flops, const TaskSizes& sizes,
                       std::vector<int> owner = {}) {
  AssemblyTree tree;
  owner.resize(parent.size(), 0);
  std::vector<Index> first_pivot;
  for (std::size_t f = 0; f <= parent.size(); ++f) first_pivot.push_back(static_cast<Index>(f));
  tree.n = static_cast<Index>(parent.size());
  tree.parent = std::move(parent);
  tree.first_pivot = std::move(first_pivot);
  return cut_into_tasks(tree, flops, sizes, owner);
}

/// The parents of a path of fronts from 0 up.
std::vector<Index> path(Index fronts) {
  std::vector<Index> parent;
  for (Index f = 1; f < fronts; ++f) parent.push_back(f);
  parent.push_back(-1);
  return parent;
}

TEST(CutIntoTasks, SubtreesUpToASizeAreOne) {
  //     6: 2 and 5,  2: 0 and 1,  5: 3 and 4
  const std::vector<Index> parent{2, 2, 6, 5, 5, 6, -1};
  const std::vector<double> flops(7, 1);
  using Cuts = std::vector<Index>;
  EXPECT_EQ(cut(parent, flops, {7, false}), (Cuts{0, 7}));
  EXPECT_EQ(cut(parent, flops, {6, false}), (Cuts{0, 6, 7}));  // siblings together
  EXPECT_EQ(cut(parent, flops, {3, false}), (Cuts{0, 3, 6, 7}));
  EXPECT_EQ(cut(parent, flops, {2, false}), (Cuts{0, 2, 3, 5, 6, 7}));
  EXPECT_EQ(cut(parent, flops, {0, false}), (Cuts{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(CutIntoTasks, OneRankAndNoSharedFrontIsInATask) {
  const std::vector<Index> parent{2, 2, 6, 5, 5, 6, -1};
  const std::vector<double> flops(7, 1);
  using Cuts = std::vector<Index>;
  EXPECT_EQ(cut(parent, flops, {7, false}, {0, 0, 0, 1, 1, 1, 1}), (Cuts{0, 3, 6, 7}));
  EXPECT_EQ(cut(parent, flops, {7, true}, {0, 0, 0, 0, 0, 0, -1}), (Cuts{0, 6, 7}));
  EXPECT_EQ(cut(parent, flops, {7, true}, {0, 0, 1, 1, 1, 1, 1}), (Cuts{0, 2, 7}));
}

TEST(CutIntoTasks, APathIsAFewTasks) {
  const std::vector<double> flops(100, 1);
  EXPECT_EQ(cut(path(100), flops, {10, false}).size(), 1 + 1 + 90U);
  const auto few = cut(path(100), flops, {10, true});
  ASSERT_EQ(few.size(), 1 + 10U);
  for (std::size_t t = 0; t < few.size(); ++t) EXPECT_EQ(few[t], static_cast<Index>(10 * t));
}

/// A task has one parent: a front whose children are not all in the task before begins another.
TEST(CutIntoTasks, AFrontJoinsAllOfItsChildrenOnly) {
  // a path 0, 1, 3, 5 with a leaf beside each: 2 under 3, 4 under 5
  const std::vector<Index> parent{1, 3, 3, 5, 5, -1};
  const std::vector<double> flops(6, 1);
  using Cuts = std::vector<Index>;
  EXPECT_EQ(cut(parent, flops, {4, true}), (Cuts{0, 4, 5, 6}));
  EXPECT_EQ(cut(parent, flops, {3, true}), (Cuts{0, 3, 6}));
}

}  // namespace
}  // namespace overlapack::sparse::multifrontal
