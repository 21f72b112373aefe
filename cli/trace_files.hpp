#pragma once
#include "command.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"
#include "run_watch.hpp"

namespace overlapack::cli {

/// The flags --trace, --trace-svg, --trace-csv, --trace-chart, --trace-summary and --critical-path of commands that run in
/// parallel.
class TraceFiles {
 public:
  /// Append them; this must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);

  bool wants_events() const;
  /// Errors  BadInput, before any work, where a file cannot be made
  void require_writable(RunWatch& watch) const;
  /// Write the files that were asked for, with `title` above the picture.
  void write(const trace::Timeline& timeline, const std::string& title) const;
  /// What --trace-summary and --critical-path print; empty without them.
  std::string tables(const trace::Timeline& timeline, const Report& report) const;

 private:
  std::string chrome_, svg_, csv_, chart_;
  bool has_table_ = false;
  bool has_path_ = false;
};

}  // namespace overlapack::cli
