#include "comm/turns.hpp"

#include <mutex>

namespace overlapack::comm {

struct Turns::Lock {
  std::recursive_mutex mutex;
};

Turns::Turns() : lock_(std::make_unique<Lock>()) {}
Turns::~Turns() = default;

Turn::Turn(Turns& turns) : turns_(turns) { turns_.lock_->mutex.lock(); }
Turn::~Turn() { turns_.lock_->mutex.unlock(); }

}  // namespace overlapack::comm
