#pragma once
#include "comm/engine/thread/thread_mailbox.hpp"

#include <map>

namespace overlapack::comm::thread {

/// What the ranks of a team, or of one part of it after split, share: their mailboxes and ports, and their collective calls (meetings),
/// which split, make_window and attach use.
class Group {
 public:
  explicit Group(std::vector<ThreadMailbox*> mailboxes)
      : members_(std::move(mailboxes)), ports_(members_.size()), calls_(members_.size()) {}

  int size() const { return static_cast<int>(members_.size()); }
  ThreadMailbox& mailbox(int i) { return *members_[static_cast<std::size_t>(i)]; }
  Port& port(int i) { return ports_[static_cast<std::size_t>(i)]; }

  using Shared = std::shared_ptr<void>;
  /// One collective call under way.
  struct Meeting {
    std::vector<Shared> brought;  ///< by rank: the object that it passed
    int here = 0;                 ///< number of ranks that have passed theirs
    std::atomic<bool> is_complete{false};
    Shared result;  ///< valid once is_complete
  };
  /// Collective: rank i passes an object, and the last caller combines the objects of all into Meeting::result. Returns at once; the
  /// caller must wait for is_complete.
  std::shared_ptr<Meeting> exchange_objects(int i, Shared brought,
                                            FunctionRef<Shared(const std::vector<Shared>&)> combine);

  void wake_all();
  /// After an abort, when all threads are parked: drop all messages, receives and meetings. Allocates nothing.
  void drop_messages();

 private:
  std::vector<ThreadMailbox*> members_;
  std::vector<Port> ports_;
  std::mutex mutex_;
  std::vector<std::int64_t>
      calls_;  ///< by rank: collective calls made, which is the number of its next meeting
  std::map<std::int64_t, std::shared_ptr<Meeting>> meetings_;
};

}  // namespace overlapack::comm::thread
