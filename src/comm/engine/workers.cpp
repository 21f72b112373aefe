#include "comm/engine/workers.hpp"

#include "overlapack/quiet_floats.hpp"

#include <new>
#include <string>
#include <system_error>

namespace overlapack::comm {

Workers::Workers(int count) : jobs_(false) {
  threads_.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { run_worker_loop(); });
  } catch (const std::bad_alloc&) {
    stop();
    throw;
  } catch (const std::system_error&) {
    stop();
    throw Error(Status::out_of_memory,
                "the system refused to start " + std::to_string(count) + " worker threads; use fewer");
  }
}

Workers::~Workers() { stop(); }

void Workers::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run_worker_loop() {
  const QuietFloats quiet;
  for (std::uint64_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_stopping_ || jobs_.published() != seen; });
      if (is_stopping_) return;
      seen = jobs_.published();
    }
    while (jobs_.run_published_parts([] { return true; }) > 0) {
    }
  }
}

void Workers::run(Job& job, FunctionRef<void()> poll) {
  const auto wake = [&] {
    // afterwards a helper that looked and found no job is asleep, and hears the notice
    { const std::lock_guard lock(mutex_); }
    changed_.notify_one();
  };
  jobs_.run(job, wake, poll);
}

}  // namespace overlapack::comm
