#include "comm/call_mutex.hpp"

#include <mutex>

namespace overlapack::comm {

struct CallMutex::Lock {
  std::recursive_mutex mutex;
};

CallMutex::CallMutex() : lock_(std::make_unique<Lock>()) {}
CallMutex::~CallMutex() = default;

CallLock::CallLock(CallMutex& mutex) : mutex_(mutex) { mutex_.lock_->mutex.lock(); }
CallLock::~CallLock() { mutex_.lock_->mutex.unlock(); }

}  // namespace overlapack::comm
