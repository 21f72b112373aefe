#pragma once
#include "comm/engine/thread/thread_mailbox.hpp"

#include <map>

namespace overlapack::comm::thread {

/// The ranks of a team, or of one part of it after split: their mailboxes and ports, and their collective calls (meetings).
class Group {
 public:
  explicit Group(std::vector<ThreadMailbox*> mailboxes)
      : members_(std::move(mailboxes)), ports_(members_.size()), calls_(members_.size()) {}

  int size() const { return static_cast<int>(members_.size()); }
  ThreadMailbox& mailbox(int i) { return *members_[static_cast<std::size_t>(i)]; }
  Port& port(int i) { return ports_[static_cast<std::size_t>(i)]; }

  using Shared = std::shared_ptr<void>;
  struct Meeting {
    std::vector<Shared> brought;
    int here = 0;
    std::atomic<bool> is_complete{false};
    Shared result;
  };
  /// Collective: pass an object; the last caller combines those of all into `result`. The caller must wait for is_complete.
  std::shared_ptr<Meeting> exchange_objects(int i, Shared brought,
                                            FunctionRef<Shared(const std::vector<Shared>&)> combine);

  void wake_all();
  /// After an abort, with all threads parked: drop all messages, receives and meetings.
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
