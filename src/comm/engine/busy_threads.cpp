#include "comm/busy_threads.hpp"

#include "base/processors.hpp"

#include <algorithm>
#include <atomic>
#include <pthread.h>

namespace overlapack::comm {

namespace {

constinit std::atomic<int> busy{0};
constinit thread_local int busy_of_this_call = 0;

/// After a fork the child has only the forking thread: busy threads of the parent's other calls do not exist there.
struct Forks {
  Forks() {
    pthread_atfork(nullptr, nullptr, [] { busy = busy_of_this_call; });
  }
} const forks_of_busy_threads;

}  // namespace

BusyThreads::BusyThreads(int threads) : threads_(threads) {
  busy += threads_;
  busy_of_this_call += threads_;
}

BusyThreads::~BusyThreads() {
  busy -= threads_;
  busy_of_this_call -= threads_;
}

int count_free_processors() {
  return std::max(1, count_usable_processors() - (busy.load() - busy_of_this_call));
}

}  // namespace overlapack::comm
