#pragma once
#include <memory>

namespace overlapack::comm {

/// Recursive mutex that serialises the calls of several threads to one object: a callback of a call may lock it again.
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

/// Holds a CallMutex while it lives.
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
