#include "sparse/analysis/fronts/split_fronts.hpp"

#include <gtest/gtest.h>

namespace overlapack::sparse {
namespace {

TEST(SplitFronts, AChainHasTheWholeFrontsPivotsAndBorder) {
  AssemblyTree tree;  // fronts 0 and 1 below 2
  tree.n = 12;
  tree.first_pivot = {0, 3, 5, 12};
  tree.parent = {2, 2, -1};
  tree.row_start = {0, 2, 5, 5};
  tree.row = {6, 9, 5, 7, 11};
  const SplitTree split = split_fronts(tree, [&](Index f) -> std::vector<Index> {
    if (f == 2) return {4, 2, 1};
    if (f == 0) return {1, 2};
    return {tree.pivots(f)};
  });
  EXPECT_EQ(split.tree.n, 12);
  EXPECT_EQ(split.tree.first_pivot, (std::vector<Index>{0, 1, 3, 5, 9, 11, 12}));
  EXPECT_EQ(split.tree.parent, (std::vector<Index>{1, 3, 3, 4, 5, -1}));
  EXPECT_EQ(split.last_of, (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(split.tree.row_start, (std::vector<Index>{0, 4, 6, 9, 12, 13, 13}));
  EXPECT_EQ(split.tree.row, (std::vector<std::int32_t>{1, 2, 6, 9, 6, 9, 5, 7, 11, 9, 10, 11, 11}));
}

}  // namespace
}  // namespace overlapack::sparse
