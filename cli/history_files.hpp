#pragma once
#include "command.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/report.hpp"
#include "run_watch.hpp"

namespace overlapack::cli {

/// The flags --history and --history-svg of commands that iterate.
class HistoryFiles {
 public:
  /// Append the flags. This object must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);
  /// Check, before any work, that the requested files can be made.
  /// Errors  BadInput if a file cannot be made; BadPlan if a file is requested and the method does not iterate
  void require_writable(RunWatch& watch, std::optional<Method> method) const;
  /// Write the requested files.
  void write(const Report& report) const;

 private:
  std::string csv_, svg_;
};

}  // namespace overlapack::cli
