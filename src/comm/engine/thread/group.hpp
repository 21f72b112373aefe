#pragma once
#include "comm/engine/thread/thread_mailbox.hpp"

#include <map>

namespace overlapack::comm::thread {

/// The ranks of a team, or of one part of it after split: where each one sits, and where they meet.
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
  /// Collective: bring something; the last to come combines what all brought. The caller waits for is_complete.
  std::shared_ptr<Meeting> meet(int i, Shared brought,
                                FunctionRef<Shared(const std::vector<Shared>&)> combine);

  void wake_all();
  /// After an abort, all threads parked: nothing is on its way any more.
  void forget();

 private:
  std::vector<ThreadMailbox*> members_;
  std::vector<Port> ports_;
  std::mutex mutex_;
  std::vector<std::int64_t>
      calls_;  ///< collective calls that each rank has made: the position of its next meeting
  std::map<std::int64_t, std::shared_ptr<Meeting>> meetings_;
};

}  // namespace overlapack::comm::thread
