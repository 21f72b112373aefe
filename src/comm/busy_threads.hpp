#pragma once

namespace overlapack::comm {

/// Counts, while it lives, `threads` threads of this process as busy with the present call of the library; the calling thread is one
/// of them. In a forked child only the threads of the forking call count, not the parent's other calls.
class BusyThreads {
 public:
  explicit BusyThreads(int threads);
  ~BusyThreads();
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;

 private:
  const int threads_;
};

/// Number of usable processors minus the busy threads of other calls, at least 1. A call whose caller gives no number of threads
/// takes this many, so that calls from several threads of a program share the processors.
int count_free_processors();

}  // namespace overlapack::comm
