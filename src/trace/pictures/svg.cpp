#include "overlapack/trace.hpp"
#include "trace/pictures/chart_shapes.hpp"
#include "trace/pictures/families.hpp"
#include "trace/pictures/plain_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <set>

namespace overlapack::trace {
namespace {

constexpr int columns = plot_width;  // one per pixel
constexpr int row_height = 28;
constexpr int bar_height = row_height - 4;

/// Name of an event's box: for a computation its kind, else the name of Event::what.
std::string name_of(const Event& e) {
  if (e.what == What::compute && !e.kind.empty()) return std::string(e.kind);
  return std::string(name(e.what));
}

/// The events that are drawn as boxes of one colour and one name. Boxes are stacked from the bottom in the order of this type.
struct Box {
  Family family;
  std::string name;
  auto operator<=>(const Box&) const = default;
};

Box box_of(const Event& e) { return {family_of(e), name_of(e)}; }

/// The different boxes that the events of the timeline need, in the order in which they are stacked.
std::vector<Box> boxes_of(const Timeline& timeline) {
  std::set<Box> seen;
  if (timeline.analysis_s() > 0) seen.insert(box_of(analysis_event(timeline)));
  for (const Event& e : timeline.events())
    if (e.what != What::disk) seen.insert(box_of(e));
  return {seen.begin(), seen.end()};
}

/// Maps seconds to positions in the picture.
class Scale {
 public:
  explicit Scale(const Timeline& timeline)
      : zero_s_(timeline.begin_s() - timeline.analysis_s()), all_s_(elapsed_s(timeline)) {}
  double column(double at_s) const {
    return std::clamp(columns * (at_s - zero_s_) / std::max(all_s_, 1e-300), 0.0, double(columns));
  }
  double x(double at_s) const { return chart_left + column(at_s); }
  double all_s() const { return all_s_; }
  /// The time between two columns as text: "12.3 to 15 ms".
  std::string stretch(int begin, int end) const {
    return printed("%.4g to %.4g %s", all_s_ * begin / columns / unit_s(), all_s_ * end / columns / unit_s(),
                   unit());
  }
  const char* unit() const { return all_s_ >= 1 ? "s" : all_s_ >= 1e-3 ? "ms" : "us"; }
  double unit_s() const { return all_s_ >= 1 ? 1 : all_s_ >= 1e-3 ? 1e-3 : 1e-6; }

 private:
  double zero_s_, all_s_;
};

/// Shares of one rank: [c][k] is the fraction of pixel column c's time that the rank spent on box k.
using Shares = std::vector<std::vector<double>>;

void add_stretch(Shares& share, std::size_t box, double from, double to) {
  for (int c = static_cast<int>(from); c < columns && c < to; ++c)
    share[c][box] += std::min(to, c + 1.0) - std::max(from, double(c));
}

Shares shares_of(const Timeline& timeline, int rank, const std::vector<Box>& boxes, const Scale& scale) {
  Shares share(columns, std::vector<double>(boxes.size()));
  const auto add = [&](const Event& e) {
    const auto box = std::ranges::lower_bound(boxes, box_of(e));
    add_stretch(share, static_cast<std::size_t>(box - boxes.begin()), scale.column(e.begin_s),
                scale.column(e.end_s));
  };
  if (rank == 0 && timeline.analysis_s() > 0) add(analysis_event(timeline));
  for (const Event& e : timeline.events())
    if (e.rank == rank && e.what != What::disk) add(e);
  for (auto& column : share) {
    double sum = 0;
    for (double s : column) sum += s;
    for (double& s : column) s = std::round(100 * s / std::max(sum, 1.0)) / 100;
  }
  return share;
}

void write_box(std::ostream& out, int begin, int end, double y, double height, Family family,
               const std::string& tip) {
  out << printed(R"(<rect x="%d" y="%.2f" width="%d" height="%.2f" fill="%s" class="%s">)",
                 chart_left + begin, y, end - begin, height, look_of(family).colour.data(),
                 dark_background_class(family).data())
      << "<title>" << escaped(tip) << "</title></rect>\n";
}

/// One rank's row: equal neighbouring columns become one box. What no box covers is idle.
void write_row(std::ostream& out, const Shares& share, const std::vector<Box>& boxes, const Scale& scale,
               int rank, double y) {
  const std::string of_rank = printed("rank %d: ", rank);
  write_box(out, 0, columns, y, bar_height, Family::idle, of_rank + "idle, or not recorded");
  for (int begin = 0; begin < columns;) {
    int end = begin + 1;
    while (end < columns && share[end] == share[begin]) ++end;
    double bottom = y + bar_height;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      const double part = share[begin][k];
      if (part <= 0) continue;
      bottom -= part * bar_height;
      write_box(out, begin, end, bottom, part * bar_height, boxes[k].family,
                of_rank + boxes[k].name + ", " + scale.stretch(begin, end) +
                    (part < 1 ? printed(", %.0f %% of it", 100 * part) : ""));
    }
    begin = end;
  }
}

void write_time_axis(std::ostream& out, const Timeline& timeline, const Scale& scale, double top,
                     double bottom) {
  const double length = scale.all_s() / scale.unit_s();
  const double step = round_step(length);
  for (int tick = 0; tick * step <= length && tick <= 20; ++tick) {
    const double x = chart_left + (length > 0 ? columns * tick * step / length : 0);
    out << printed(R"(<line class="grid" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" stroke="%s"/>)", x, top, x,
                   bottom + 4, grid_ink);
    write_text(out, x, bottom + 24, "middle", printed("%.4g %s", tick * step, scale.unit()));
  }
  write_text(out, chart_left + columns / 2.0, bottom + 50, "middle",
             timeline.analysis_s() > 0 ? "time since the analysis began" : "time since the ranks began");
}

/// Draw the path as two lines: solid for work, within rows; dashed for messages.
void write_path(std::ostream& out, const Timeline& timeline, const std::vector<PathLink>& path,
                const Scale& scale, double top) {
  std::map<int, double> middle;
  for (const Totals& t : timeline.totals())
    middle.emplace(t.rank, top + double(middle.size()) * row_height + bar_height / 2.0);
  std::string work, messages;
  const auto add = [&](std::string& line, double begin_s, int from, double end_s, int to) {
    line += printed("M%.2f %.1fL%.2f %.1f", scale.x(begin_s), middle.at(from), scale.x(end_s), middle.at(to));
  };
  if (timeline.analysis_s() > 0) {
    const Event analysis = analysis_event(timeline);
    add(work, analysis.begin_s, 0, analysis.end_s, 0);
    add(messages, analysis.end_s, 0, analysis.end_s, path.front().from);
  }
  for (const PathLink& link : path)
    add(link.what == Link::flight ? messages : work, link.begin_s, link.from, link.end_s, link.rank);
  out << printed(R"(<path class="ink" d="%s" stroke="%s" stroke-width="3" fill="none"/>)", work.c_str(), ink)
      << '\n'
      << printed(
             R"(<path class="ink" d="%s" stroke="%s" stroke-width="2" stroke-dasharray="4 2" fill="none"/>)",
             messages.c_str(), ink)
      << '\n';
}

}  // namespace

void write_svg(std::ostream& out, const Timeline& timeline, const std::string& title,
               const std::vector<PathLink>& path) {
  const PlainNumbers plain(out);
  const std::vector<Box> boxes = boxes_of(timeline);
  const Scale scale(timeline);
  const std::string words = in_words(timeline);
  const double top = chart_top + 16 + paragraph_height(words, picture_width);
  const double bottom = top + double(timeline.totals().size()) * row_height;
  std::vector<Category> legend = legend_of(family_seconds(timeline, scale.all_s()));
  if (!path.empty()) legend.insert(legend.end(), {{"critical path", ink, "ink-box"}});
  open_svg(out, picture_width, bottom + 68 + wide_legend_height(legend), title, true);
  write_paragraph(out, words, chart_top + 12, picture_width);
  write_time_axis(out, timeline, scale, top, bottom);
  double y = top;
  for (const Totals& t : timeline.totals()) {
    write_text(out, chart_left - 8, y + row_height / 2.0 + 3, "end", printed("rank %d", t.rank));
    write_row(out, shares_of(timeline, t.rank, boxes, scale), boxes, scale, t.rank, y);
    y += row_height;
  }
  if (!path.empty()) write_path(out, timeline, path, scale, top);
  write_wide_legend(out, legend, bottom + 62, picture_width);
  out << "</svg>\n";
}

}  // namespace overlapack::trace
