#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"

#include <map>

namespace overlapack::sparse::multifrontal {

/// Announces to every rank that it will get no more strips, so that its walk may end. A master describes its
/// front only to the ranks that it concerns, so a rank without work cannot know whether a description is on
/// its way. But before a root begins, all rows of all strips below it have arrived there, or have set out for
/// it if it is on the grid: no strip is left on any rank. The rank that begins the root announces this
/// through a binary tree of all ranks.
template <class T>
class EndOfStrips {
 public:
  explicit EndOfStrips(const FrontContext<T>& here) : here_(here) {}

  /// Called before the walk for every distributed front. The walk is held until the end of its root's strips
  /// was announced.
  void add_waits_of_front(Index f);
  /// Called when a task of this rank begins: announces the end of the strips below it where it is a root of a tree with strips.
  void on_task_begin(Index task);
  /// Called with messages of the kinds strip_left, at the owner of the grid root, and strips_over.
  void on_message(const comm::Message& message);

 private:
  /// Posts the announcement to this rank's children in the tree of ranks that begins at `from`; ends this
  /// rank's hold.
  void announce_end(Index root, int from);

  const FrontContext<T> here_;
  /// Root of a tree with strips -> rows of its children's strips that have not set out for the grid; 0 if it
  /// is not on the grid.
  std::map<Index, Index> rows_left_;
};

}  // namespace overlapack::sparse::multifrontal
