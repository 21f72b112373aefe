#pragma once
#include "overlapack/options.hpp"

#include <chrono>
#include <functional>
#include <string_view>

namespace overlapack::cli {

/// From now on Ctrl-C (and a polite kill) is a wish that progress_callback passes on; a second one ends at once.
void watch_interrupts();

/// Draws a bar on standard error if that is a terminal, and stops on Ctrl-C. Clears the line when `done` is called or
/// when it goes.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// A phase that tells no share of its own, as reading the files is.
  void begin(std::string_view phase) {
    if (is_terminal_) draw({phase, 0});
  }
  std::function<bool(const Progress&)> callback();
  void clear();

 private:
  void draw(const Progress& progress);
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool is_terminal_;
  bool is_drawn_ = false;
};

}  // namespace overlapack::cli
