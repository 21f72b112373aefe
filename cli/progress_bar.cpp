#include "progress_bar.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace overlapack::cli {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

extern "C" void note_interrupt(int signal) {
  stop_wanted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_interrupts() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

std::function<bool(const Progress&)> ProgressBar::callback() {
  return [this](const Progress& progress) {
    if (is_terminal_) draw(progress);
    return stop_wanted != 0;
  };
}

void ProgressBar::draw(const Progress& progress) {
  constexpr int width = 40;
  const int full = static_cast<int>(std::clamp(progress.share, 0.0, 1.0) * width);
  char bar[width + 1] = {};
  std::fill(bar, bar + full, '#');
  std::fill(bar + full, bar + width, '.');
  const double passed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::fprintf(stderr, "\r%-14.*s [%s] %3.0f %% %6.1f s", static_cast<int>(progress.phase.size()),
               progress.phase.data(), bar, 100 * progress.share, passed_s);
  std::fflush(stderr);
  is_drawn_ = true;
}

void ProgressBar::clear() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
  is_drawn_ = false;
}

}  // namespace overlapack::cli
