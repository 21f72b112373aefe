#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"

#include <map>

namespace overlapack::sparse::multifrontal {

/// Tells every rank that it will get no strip any more. A front is described to those alone whom it concerns, so a rank that has
/// no work left cannot know whether a description is on its way. But all rows of all strips below a root are there before it
/// begins, or have set out for it where it is on a grid: then no strip is left on any rank. Whoever begins the root says so, through
/// a binary tree of all ranks.
template <class T>
class EndOfStrips {
 public:
  explicit EndOfStrips(const FrontContext<T>& here) : here_(here) {}

  /// Before the walk, of every distributed front.
  void add_waits_of_front(Index f);
  /// Called when a task of this rank begins: announces the end of the strips below it where it is a root of a tree with strips.
  void on_task_begin(Index task);
  /// Called with messages of the kinds strip_left, at the owner of the grid root, and strips_over.
  void on_message(const comm::Message& message);

 private:
  /// Post to my children in the tree of ranks rooted at `from` that no strip below this root is left; ends this rank's hold.
  void announce_end(Index root, int from);

  const FrontContext<T> here_;
  std::map<Index, Index>
      rows_left_;  ///< by the roots of trees with strips: rows of children in strips that are not on the grid
};

}  // namespace overlapack::sparse::multifrontal
