#pragma once
#include "command.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::cli {

/// How much a command prints, while it works and at the end.
struct Verbosity {
  bool is_quiet = false, is_verbose = false, json = false;

  /// Append --quiet, --verbose and --json. This object must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);
  /// Whether the report for people is printed. Output of other options is printed in any case.
  bool has_report() const { return !json && !is_quiet; }
};

/// Watches a running command. It draws a progress line if standard error is a terminal. On Ctrl-C and SIGTERM it ends the process within a
/// tenth of a second, whatever the process is doing, with a sentence and exit code 130. No unfinished file stays behind.
class RunWatch {
 public:
  /// Errors  BadPlan if both quiet and verbose are set
  explicit RunWatch(const Verbosity& verbosity);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// Begin a phase whose progress is not known, such as reading files.
  void begin(std::string_view phase, std::string_view step = {});
  /// The progress callback for the library.
  std::function<bool(const Progress&)> callback();
  /// Name a file that will be written at the end. If the process is stopped before, the watch removes the unfinished file.
  void writes(const std::string& path);
  /// Set a text to be printed to standard error when a signal ends the process.
  void on_stop(const std::string& text);
  /// Erase the progress line and draw no more.
  void clear();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace overlapack::cli
