#pragma once
#include <memory>

namespace overlapack::comm {

/// Threads that call one object, one after the other: each takes a turn for the time of its call. A thread that has the turn may take it
/// again, as a callback of the call does.
class CallMutex {
 public:
  CallMutex();
  ~CallMutex();
  CallMutex(const CallMutex&) = delete;
  CallMutex& operator=(const CallMutex&) = delete;

 private:
  friend class CallLock;
  struct Lock;
  std::unique_ptr<Lock> lock_;
};

class CallLock {
 public:
  explicit CallLock(CallMutex& mutex);
  ~CallLock();
  CallLock(const CallLock&) = delete;
  CallLock& operator=(const CallLock&) = delete;

 private:
  CallMutex& mutex_;
};

}  // namespace overlapack::comm
