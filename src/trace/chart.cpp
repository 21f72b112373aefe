#include "overlapack/trace.hpp"
#include "trace/chart_shapes.hpp"

#include <algorithm>

namespace overlapack::trace {
namespace {

constexpr int bar_width = 900;
constexpr int bar_height = 22;

/// Seconds by What of one rank; what nobody recorded is idle.
std::array<double, what_count> seconds_of(const Totals& t, double elapsed_s) {
  std::array<double, what_count> seconds = t.time_s;
  seconds[static_cast<std::size_t>(What::disk)] = 0;  // beside the others
  double recorded = 0;
  for (const double s : seconds) recorded += s;
  seconds[static_cast<std::size_t>(What::idle)] += std::max(0.0, elapsed_s - recorded);
  return seconds;
}

void write_bar(std::ostream& out, const std::string& label, const std::array<double, what_count>& seconds,
               double elapsed_s, double y) {
  out << printed(R"(<text x="%d" y="%.0f" text-anchor="end">)", chart_left - 8, y + bar_height / 2.0 + 4)
      << escaped(label) << "</text>\n";
  double x = chart_left;
  for (std::size_t w = 0; w < what_count; ++w) {
    const double width = elapsed_s > 0 ? bar_width * seconds[w] / elapsed_s : 0;
    if (width <= 0) continue;
    out << printed(R"(<rect x="%.2f" y="%.0f" width="%.2f" height="%d" fill="%s"/>)", x, y, width, bar_height,
                   what_colours[w]);
    if (width > 45)
      out << printed(R"(<text x="%.1f" y="%.0f" text-anchor="middle">%.1f %%</text>)", x + width / 2,
                     y + bar_height / 2.0 + 4, 100 * seconds[w] / elapsed_s);
    out << '\n';
    x += width;
  }
}

}  // namespace

void write_summary_chart(std::ostream& out, const Timeline& timeline, const std::string& title) {
  const double elapsed_s = timeline.end_s() - timeline.begin_s();
  const double ranks = static_cast<double>(timeline.totals().size());
  std::array<double, what_count> mean{};
  for (const Totals& t : timeline.totals()) {
    const auto mine = seconds_of(t, elapsed_s);
    for (std::size_t w = 0; w < what_count; ++w) mean[w] += mine[w] / ranks;
  }
  double y = chart_top;
  const double bottom = y + (ranks + 1) * (bar_height + 6);
  open_svg(out, chart_left + bar_width + 40, bottom + 40, title);
  write_bar(out, "mean", mean, elapsed_s, y);
  for (const Totals& t : timeline.totals())
    write_bar(out, "rank " + std::to_string(t.rank), seconds_of(t, elapsed_s), elapsed_s,
              y += bar_height + 6);
  std::vector<Category> legend;
  for (std::size_t w = 0; w < what_count; ++w)
    if (mean[w] > 0) legend.push_back({std::string(what_names[w]), what_colours[w]});
  write_legend(out, legend, bottom + 14);
  out << "</svg>\n";
}

}  // namespace overlapack::trace
