#pragma once
#include "api/run/interruption.hpp"
#include "comm/shared_count.hpp"
#include "overlapack/error.hpp"

#include <exception>
#include <string>
#include <string_view>

namespace overlapack::api {

/// Stops a batch when its caller wants that. The caller is asked on its own thread; all threads that work on systems see the answer.
class BatchWatch {
 public:
  explicit BatchWatch(const Options& options) : interruption_(options) {}

  /// Begin a new public call, whose thread is this one.
  void begin_call() {
    interruption_.begin_call();
    caller_ = this_thread();
    stopped_.take();
  }

  /// Report progress to the caller. Called on its thread.
  /// Errors  Cancelled
  void report_progress(std::string_view phase, double share, std::string_view step = {}) {
    phase_ = phase, share_ = share, step_ = step;
    should_stop();
    throw_if_stopped();
  }

  /// The progress function of a system that is factorised by itself, on any thread: returns whether its call has to end. On the caller's
  /// thread it reports the progress of the batch.
  bool should_stop() {
    if (!is_stopped() && this_thread() == caller_) {
      try {
        interruption_.report_progress(phase_, share_, step_);
      } catch (const Error&) {
        stop_ = std::current_exception();
        stopped_.add(1);
      }
    }
    return is_stopped();
  }
  bool is_stopped() const { return stopped_.value() > 0; }

  /// Throw the reason why should_stop ended calls, if it did. Called on the caller's thread.
  /// Errors  Cancelled
  void throw_if_stopped() const {
    if (is_stopped()) std::rethrow_exception(stop_);
  }

 private:
  /// An address that no other thread has.
  static const void* this_thread() {
    static thread_local char mark;
    return &mark;
  }

  Interruption interruption_;
  const void* caller_ = this_thread();
  std::string_view phase_ = "analysis";
  double share_ = 0;
  std::string step_;
  comm::SharedCount stopped_;
  std::exception_ptr stop_;  ///< what ended the call
};

}  // namespace overlapack::api
