#pragma once
#include "overlapack/options.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace overlapack::api {

/// Stops a call when the caller wants it: by the progress callback and by the time limit. It is used on the caller's thread only.
class Interruption {
 public:
  explicit Interruption(const Options& options)
      : progress_(options.progress), time_limit_s_(options.run.time_limit_s) {}

  /// Begin a new public call, from which the time limit counts.
  void begin_call() { start_ = Clock::now(); }

  /// Report progress to the caller. The callback is called at most fifty times a second, and when the phase or its step changes. Within a
  /// phase the reported share never falls, although an analysis repeats steps to compare alternatives. A share of 0 begins a phase anew.
  /// Errors  Cancelled
  void report_progress(std::string_view phase, double share, std::string_view step = {});

 private:
  using Clock = std::chrono::steady_clock;

  std::function<bool(const Progress&)> progress_;
  double time_limit_s_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point told_{};
  std::string_view phase_;
  double share_ = 0;
  std::string step_;
};

}  // namespace overlapack::api
