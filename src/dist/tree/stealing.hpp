#pragma once
#include "dist/tree/tree_walk.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace overlapack::dist {

/// What stealing asks of the algorithm.
class StealEvents {
 public:
  virtual ~StealEvents() = default;
  /// Can another rank do this task of mine, once it is ready?
  virtual bool may_leave(Index task) const = 0;
  /// All that `thief` needs to do it. From now on it is the thief's.
  virtual comm::Body give(Index task, int thief) = 0;
  /// A task of another rank has become mine, with what its `give` returned; nothing is computed here.
  virtual void take(Index task, comm::Body body) = 0;
};

/// Tasks of an upward walk that ranks without work take from others. A rank with nothing to do tells all who have something
/// to give; each of them answers once, with a task, when two or more of its tasks are ready. Messages of a pair of ranks a and b:
///   a -> b  hungry         a has no work; again only after a task of b's has come
///   b -> a  given          a task, ready to be done
///   b -> a  nothing_left   all of b's tasks that may leave have begun or are given away
///   a -> b  heard          a's last message: what it had asked for before has arrived
/// A task that was stolen stays where it is.
class Stealing {
 public:
  /// kind: of all messages, for which the walk's events call `received`
  Stealing(TreeWalk& walk, Index tasks, StealEvents& events, comm::Kind kind);

  /// This rank has nothing to do.
  void ask();
  /// A task of mine is ready, or begins.
  void ready(Index task);
  void begins(Index task);
  void received(comm::Message message);
  /// Nobody has anything to give, and everybody knows.
  bool is_closed() const {
    return heard_ == walk_.rank().size() - 1 && exhausted_ == walk_.rank().size() - 1;
  }
  /// Tasks that this rank got from others.
  Index stolen() const { return stolen_; }

 private:
  enum Step : std::int64_t { hungry, given, nothing_left, heard };
  enum class Victim : char { unasked, asked, exhausted };

  void post(int to, Step step, Index task = -1, comm::Body body = {});
  void offer();
  void one_less();

  TreeWalk& walk_;
  StealEvents& events_;
  comm::Kind kind_;
  std::vector<char> may_leave_;  ///< tasks: mine from the beginning, not begun, and others may do them
  Index to_give_ = 0;            ///< of these
  std::deque<int> thieves_;      ///< who waits for one
  std::vector<Victim> victims_;  ///< by rank
  int exhausted_ = 0, heard_ = 0;
  Index stolen_ = 0;
};

}  // namespace overlapack::dist
