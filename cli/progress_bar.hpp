#pragma once
#include "overlapack/options.hpp"

#include <functional>

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

  std::function<bool(const Progress&)> callback();
  void clear();

 private:
  void draw(const Progress& progress);
  bool is_terminal_;
  bool is_drawn_ = false;
};

}  // namespace overlapack::cli
