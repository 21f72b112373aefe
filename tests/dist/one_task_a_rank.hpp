#pragma once
#include "dist/tree/tree_walk.hpp"

namespace overlapack::dist {

/// A task for each rank, which nothing depends on.
inline TaskTree one_task_a_rank(int ranks) {
  TaskTree tree;
  for (int r = 0; r < ranks; ++r) {
    tree.parent.push_back(-1);
    tree.owner.push_back(r);
  }
  return tree;
}

}  // namespace overlapack::dist
