#pragma once
#include "command.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/report.hpp"
#include "run_watch.hpp"

namespace overlapack::cli {

/// The flags --history and --history-svg of commands that iterate.
class HistoryFiles {
 public:
  /// Append them; this must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);
  /// Errors  BadInput, before any work, where a file cannot be made; BadPlan where a file is asked for and the method does not
  ///         iterate
  void require_writable(RunWatch& watch, std::optional<Method> method) const;
  /// Write the files that were asked for.
  void write(const Report& report) const;

 private:
  std::string csv_, svg_;
};

}  // namespace overlapack::cli
