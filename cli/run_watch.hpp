#pragma once
#include "command.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::cli {

/// How much a command says while it works, and of what it did.
struct Verbosity {
  bool is_quiet = false, is_verbose = false, json = false;

  /// Append --quiet, --verbose and --json; this must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);
  /// Is there a report for people? What other options ask for is printed in any case.
  bool has_report() const { return !json && !is_quiet; }
};

/// Beside a command that works: a line that says how far it is, where standard error is a terminal, and an ear for Ctrl-C and SIGTERM, which
/// end the process within a tenth of a second wherever it is: the sentence, no unfinished file, exit code 130.
class RunWatch {
 public:
  /// Errors  BadPlan: quiet and verbose
  explicit RunWatch(const Verbosity& verbosity);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// A phase that tells no share of its own, as reading the files is.
  void begin(std::string_view phase, std::string_view step = {});
  /// What the library is to tell of its phases.
  std::function<bool(const Progress&)> callback();
  /// A file that is written at the end, and stays away where the process ends before.
  void writes(const std::string& path);
  /// What else to print, to standard error, where a signal ends the process.
  void on_stop(const std::string& text);
  /// Wipe the line out; nothing is drawn from here on.
  void clear();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace overlapack::cli
