#pragma once
#include "comm/engine/jobs.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace overlapack::comm {

/// Helper threads of a rank that is a process (mpi, shmem). They run parts of its jobs, call nothing else of the engine, and sleep when
/// no part is ready.
class Workers {
 public:
  /// Errors  OutOfMemory when the system refuses a thread
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Run all parts of the job, on this thread and the helpers; this thread calls poll() after each of its parts.
  void run(Job& job, FunctionRef<void()> poll);

 private:
  void run_worker_loop();
  void stop() noexcept;

  Jobs jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopping_ = false;  ///< guarded
  std::vector<std::thread> threads_;
};

}  // namespace overlapack::comm
