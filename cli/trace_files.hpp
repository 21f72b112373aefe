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
  /// Append the flags. This object must outlive the parsing.
  void add_to(std::vector<Argument>& arguments);

  bool wants_events() const;
  /// Check, before any work, that the requested files can be made.
  /// Errors  BadInput
  void require_writable(RunWatch& watch) const;
  /// Write the requested files, with `title` above the picture.
  void write(const trace::Timeline& timeline, const std::string& title) const;
  /// The output of --trace-summary and --critical-path; empty without these flags.
  std::string tables(const trace::Timeline& timeline, const Report& report) const;

 private:
  std::string chrome_, svg_, csv_, chart_;
  bool has_table_ = false;
  bool has_path_ = false;
};

}  // namespace overlapack::cli
