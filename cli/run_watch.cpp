#include "run_watch.hpp"

#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/printed.hpp"
#include "overlapack/report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sys/ioctl.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace overlapack::cli {

/// The progress of a run, and its times.
struct RunState {
  std::string phase, step;  ///< "analysis", "ordering by METIS"
  double share = 0;         ///< share of the phase that is done; 0: unknown
  double phase_s = 0;       ///< seconds since the phase began
  double run_s = 0;         ///< seconds since the run began
};

namespace {

std::atomic<int> signal_that_came{0};
static_assert(std::atomic<int>::is_always_lock_free, "a handler of signals may use no lock");

/// The signal handler: note the signal. A second signal ends the process at once.
extern "C" void note_signal(int signal) {
  signal_that_came = signal;
  std::signal(signal, SIG_DFL);
}

constexpr int heard[] = {SIGINT, SIGTERM};

/// Set the handler of all signals that the watch handles. Signals that are ignored, such as SIGINT in the background of a script, stay ignored.
void set_signal_handler(void (*handler)(int)) {
  for (const int signal : heard) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) std::signal(signal, handler);
  }
}

std::string elapsed_text(double s) { return s < 119.5 ? printed("%.1f s", s) : seconds_text(s); }

/// The text ", about 17 s left"; empty if the phase is too short so far for an estimate.
std::string remaining_text(const RunState& state) {
  constexpr double least_share = 0.2, least_s = 1;
  if (state.share < least_share || state.share >= 1 || state.phase_s < least_s) return {};
  const double left_s = state.phase_s * (1 - state.share) / state.share;
  return ", about " + seconds_text(std::max(1.0, std::round(left_s))) + " left";
}

/// The progress line, of less than 80 characters: a bar if the share is known, the time that has passed, and the remaining time of the phase
/// if it can be estimated.
std::string bar_text(const RunState& state) {
  constexpr int width = 24;
  const std::string step = state.step.empty() ? "" : ", " + state.step;
  const std::string end = elapsed_text(state.run_s) + (state.step.empty() ? remaining_text(state) : step);
  std::string text = printed("%-14s", state.phase.c_str());
  if (state.share > 0) {
    const auto full = static_cast<int>(std::min(state.share, 1.0) * width);
    text += "[" + std::string(full, '#') + std::string(width - full, '.') +
            printed("] %3.0f %%  ", 100 * state.share);
  }
  return (text + end).substr(0, 79);
}

}  // namespace

void Verbosity::add_to(std::vector<Argument>& arguments) {
  arguments.push_back(
      flag("-q,--quiet", "no report and no progress; what other options ask for is printed", is_quiet));
  arguments.push_back(
      flag("-v,--verbose", "say on standard error what is done as it begins, and when", is_verbose));
  arguments.push_back(flag("--json", "print one JSON object", json));
}

struct RunWatch::Implementation {
  using Clock = std::chrono::steady_clock;

  explicit Implementation(const Verbosity& given) : verbosity(given) {
    if (verbosity.is_quiet && verbosity.is_verbose)
      throw Error(Status::bad_plan, "--quiet and --verbose contradict each other; give one of them");
    if (simulated_time() || !is_root_process()) return;
    draws = !verbosity.is_quiet && !verbosity.is_verbose && isatty(STDERR_FILENO) != 0;
    try {
      thread = std::thread([this] { attend(); });
    } catch (const std::system_error&) {  // no thread: signals end the process as usual
      draws = false;
      return;
    }
    set_signal_handler(note_signal);
    hears = true;
  }
  ~Implementation() {
    if (!hears) return;
    {
      const std::lock_guard lock(mutex);
      wipe();
      is_over = true;
    }
    wakes.notify_all();
    thread.join();
    set_signal_handler(SIG_DFL);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void attend() {
    std::unique_lock lock(mutex);
    while (!wakes.wait_for(lock, std::chrono::milliseconds(100), [&] { return is_over; })) {
      if (signal_that_came != 0) end();
      set_signal_handler(
          note_signal);  // again: METIS replaces the handler of SIGTERM while it runs by one that crashes
      if (draws && !state.phase.empty()) draw();
    }
  }

  void draw() {
    const Clock::time_point now = Clock::now();
    state.phase_s = std::chrono::duration<double>(now - phase_start).count();
    state.run_s = std::chrono::duration<double>(now - run_start).count();
    std::string text = bar_text(state);
    winsize window{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
      text = text.substr(0, window.ws_col - 1u);
    std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
    std::fflush(stderr);
    is_drawn = true;
  }

  void wipe() {
    if (is_drawn) std::fputs("\r\x1b[K", stderr);
    is_drawn = false;
  }

  void enter(std::string_view phase, double share, std::string_view step) {
    const std::lock_guard lock(mutex);
    state.share = share;
    if (phase == state.phase && step == state.step) return;
    const bool is_new = phase != state.phase || !step.empty();
    if (phase != state.phase) phase_start = Clock::now();
    state.phase = phase;
    state.step = step;
    if (!verbosity.is_verbose || !hears || !is_new) return;
    const double s = std::chrono::duration<double>(Clock::now() - run_start).count();
    std::fprintf(stderr, "%10s  %s\n", elapsed_text(s).c_str(), where().c_str());
  }

  std::string where() const { return state.phase + (state.step.empty() ? "" : ": " + state.step); }

  /// End the process without unwinding, since METIS, AMD and SCOTCH cannot be stopped.
  [[noreturn]] void end() {
    wipe();
    for (const std::string& path : paths) io::remove_unfinished(path);
    const std::string message = std::string("stopped by ") +
                                (signal_that_came == SIGINT ? "Ctrl-C" : "a signal (SIGTERM)") +
                                (state.phase.empty() ? "" : " in " + where());
    std::fprintf(stderr, "overlapack: %s\n%s", message.c_str(), stop_text.c_str());
    std::fflush(stderr);
    if (verbosity.json) {
      const std::string object = json_text({{"status", to_string(Status::cancelled)}, {"message", message}});
      [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, object.data(), object.size());
    }
    std::_Exit(exit_cancelled);
  }

  Verbosity verbosity;
  std::mutex mutex;
  std::condition_variable wakes;
  bool hears = false, draws = false, is_drawn = false, is_over = false;
  RunState state;
  Clock::time_point run_start = Clock::now(), phase_start = run_start;
  std::vector<std::string> paths;
  std::string stop_text;
  std::thread thread;
};

RunWatch::RunWatch(const Verbosity& verbosity)
    : implementation_(std::make_unique<Implementation>(verbosity)) {}
RunWatch::~RunWatch() = default;

void RunWatch::begin(std::string_view phase, std::string_view step) {
  implementation_->enter(phase, 0, step);
}

std::function<bool(const Progress&)> RunWatch::callback() {
  return [this](const Progress& progress) {
    implementation_->enter(progress.phase, progress.share, progress.step);
    return false;
  };
}

void RunWatch::writes(const std::string& path) {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->paths.push_back(path);
}

void RunWatch::on_stop(const std::string& text) {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->stop_text = text;
}

void RunWatch::clear() {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->wipe();
  implementation_->draws = false;
}

}  // namespace overlapack::cli
