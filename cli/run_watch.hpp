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

  /// Append --quiet, --verbose and --json; this must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);
  /// Is the report for people printed? What other options ask for is printed in any case.
  bool has_report() const { return !json && !is_quiet; }
};

/// Watches a running command: draws a progress line where standard error is a terminal. On Ctrl-C and SIGTERM it ends the process
/// within a tenth of a second, wherever it is, with a sentence and exit code 130, and leaves no unfinished file.
class RunWatch {
 public:
  /// Errors  BadPlan: quiet and verbose
  explicit RunWatch(const Verbosity& verbosity);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// Begin a phase that has no share, such as reading files.
  void begin(std::string_view phase, std::string_view step = {});
  /// The progress callback for the library.
  std::function<bool(const Progress&)> callback();
  /// A file to be written at the end; removed if the process is stopped before.
  void writes(const std::string& path);
  /// What else to print to standard error when a signal ends the process.
  void on_stop(const std::string& text);
  /// Wipe the line out; no more is drawn.
  void clear();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace overlapack::cli
