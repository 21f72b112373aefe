#include "trace_files.hpp"

#include "overlapack/io.hpp"
#include "overlapack/trace.hpp"
#include "problem.hpp"

namespace overlapack::cli {

void TraceFiles::add_to(std::vector<Argument>& arguments) {
  arguments.push_back(file_argument("--trace", "write the timeline for ui.perfetto.dev", chrome_));
  arguments.push_back(
      file_argument("--trace-svg", "write the timeline as a picture, with the critical path", svg_));
  arguments.push_back(file_argument("--trace-csv", "write the timeline as a table", csv_));
  arguments.push_back(
      file_argument("--trace-chart", "write where each rank's time went as a picture", chart_));
  arguments.push_back(flag("--trace-summary",
                           "print where the time went, what each rank did and, by kind, what was sent",
                           has_table_));
  arguments.push_back(
      flag("--critical-path", "print, by kind, the chain of work and messages that ended last", has_path_));
}

bool TraceFiles::wants_events() const {
  return has_table_ || has_path_ || !(chrome_.empty() && svg_.empty() && csv_.empty() && chart_.empty());
}

void TraceFiles::require_writable(RunWatch& watch) const {
  if (!chrome_.empty()) require_side_output(watch, chrome_, {".json"}, "JSON");
  if (!csv_.empty()) require_side_output(watch, csv_, {".csv"}, "a table, CSV");
  for (const std::string& path : {svg_, chart_})
    if (!path.empty()) require_side_output(watch, path, {".svg"}, "a picture, SVG");
}

void TraceFiles::write(const trace::Timeline& timeline, const std::string& title) const {
  if (!chrome_.empty()) io::write_file(chrome_, [&](auto& out) { trace::write_chrome_trace(out, timeline); });
  if (!csv_.empty()) io::write_file(csv_, [&](auto& out) { trace::write_csv(out, timeline); });
  if (!chart_.empty())
    io::write_file(chart_, [&](auto& out) { trace::write_summary_chart(out, timeline, title); });
  if (svg_.empty()) return;
  io::write_file(svg_,
                 [&](auto& out) { trace::write_svg(out, timeline, title, trace::critical_path(timeline)); });
}

std::string TraceFiles::tables(const trace::Timeline& timeline, const Report& report) const {
  std::string text;
  if (has_table_)
    text += trace::in_words(timeline) + "\n\n" + trace::summary_table(timeline) + "\n" +
            trace::kinds_table(timeline);
  if (has_table_ && has_path_) text += '\n';
  if (has_path_) text += trace::path_table(report.critical_path);
  return text;
}

}  // namespace overlapack::cli
