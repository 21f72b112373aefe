#pragma once
#include "overlapack/options.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace overlapack::api {

/// Whether the caller wants to stop: the progress callback and the time limit. Used on the caller's thread.
class Interruption {
 public:
  explicit Interruption(const Options& options)
      : progress_(options.progress), time_limit_s_(options.run.time_limit_s) {}

  /// A new call of the caller: the time limit counts from here.
  void begin_call() { start_ = Clock::now(); }

  /// Report progress to the caller; its callback is called at most fifty times a second, and when a phase or its step changes.
  /// The share of a phase never falls, though steps of an analysis are repeated to compare, until one begins anew with 0.
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
