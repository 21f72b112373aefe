#include "overlapack/trace.hpp"
#include "trace/pictures/chart_shapes.hpp"
#include "trace/pictures/families.hpp"
#include "trace/pictures/plain_numbers.hpp"

namespace overlapack::trace {
namespace {

constexpr int thickness = 22;
constexpr int bar_step = 28;

void write_bar(std::ostream& out, const std::string& label, const FamilySeconds& seconds, double all_s,
               double y) {
  write_text(out, chart_left - 8, y + thickness / 2.0 + 4, "end", label);
  double x = chart_left;
  for (std::size_t f = 0; f < family_count; ++f) {
    const double share = all_s > 0 ? seconds[f] / all_s : 0;
    if (share <= 0) continue;
    const FamilyLook& look = look_of(static_cast<Family>(f));
    const std::string_view css = dark_background_class(static_cast<Family>(f));
    const double length = plot_width * share;
    out << printed(R"(<rect x="%.2f" y="%.0f" width="%.2f" height="%d" fill="%s" class="%s">)", x, y, length,
                   thickness, look.colour.data(), css.data())
        << "<title>" << escaped(printed("%s: %s, %.1f %%", label.c_str(), look.name.data(), 100 * share))
        << "</title></rect>\n";
    if (length > 50)
      out << printed(R"(<text class="%s" x="%.1f" y="%.0f" text-anchor="middle" fill="%s">%.0f %%</text>)",
                     css.empty() ? "on-box" : "", x + length / 2, y + thickness / 2.0 + 5,
                     look.text_colour.data(), 100 * share)
          << '\n';
    x += length;
  }
}

void write_share_axis(std::ostream& out, double top, double bottom) {
  for (int percent = 0; percent <= 100; percent += 20) {
    const double x = chart_left + plot_width * percent / 100.0;
    out << printed(R"(<line class="grid" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" stroke="%s"/>)", x, top, x,
                   bottom + 4, grid_ink);
    write_text(out, x, bottom + 24, "middle", printed("%d %%", percent));
  }
  write_text(out, chart_left + plot_width / 2.0, bottom + 50, "middle", "share of the time");
}

}  // namespace

void write_summary_chart(std::ostream& out, const Timeline& timeline, const std::string& title) {
  const PlainNumbers plain(out);
  const double all_s = elapsed_s(timeline);
  const std::vector<FamilySeconds> seconds = family_seconds(timeline, all_s);
  FamilySeconds mean{};
  for (const FamilySeconds& mine : seconds)
    for (std::size_t f = 0; f < family_count; ++f) mean[f] += mine[f] / static_cast<double>(seconds.size());
  const std::string words = in_words(timeline);
  const std::vector<Category> legend = legend_of(seconds);
  const double top = chart_top + 16 + paragraph_height(words, picture_width);
  const double bottom = top + bar_step * static_cast<double>(seconds.size() + 1);
  open_svg(out, picture_width, bottom + 68 + wide_legend_height(legend), title, true);
  write_paragraph(out, words, chart_top + 12, picture_width);
  write_share_axis(out, top, bottom);
  double y = top;
  write_bar(out, "mean", mean, all_s, y);
  for (std::size_t k = 0; k < seconds.size(); ++k)
    write_bar(out, printed("rank %d", timeline.totals()[k].rank), seconds[k], all_s, y += bar_step);
  write_wide_legend(out, legend, bottom + 62, picture_width);
  out << "</svg>\n";
}

}  // namespace overlapack::trace
