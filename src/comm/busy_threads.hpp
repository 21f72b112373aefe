#pragma once

namespace overlapack::comm {

/// Says, while it lives, that so many threads of this process work for a call of the library, this one among them. Not those of its
/// parent, after a fork.
class BusyThreads {
 public:
  explicit BusyThreads(int threads);
  ~BusyThreads();
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;

 private:
  const int threads_;
};

/// Usable processors without a thread of another call, at least one: as many threads a call has where its caller gives no number, so
/// that calls from several threads share the processors.
int count_free_processors();

}  // namespace overlapack::comm
