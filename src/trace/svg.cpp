#include "overlapack/trace.hpp"
#include "trace/chart_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace overlapack::trace {
namespace {

constexpr int columns = 1200;
constexpr int row_height = 28;
constexpr int left = chart_left;
constexpr int top = chart_top;

constexpr const char* compute_colours[] = {"#2a7f4f", "#74c476", "#1d5c8f", "#7fb8da", "#0b3954",
                                           "#b5c334", "#3aa6a0", "#5e548e", "#8d6e4a"};
constexpr const char* path_colours[] = {"#000000", "#c2185b"};

std::string category_name(const Event& e) {
  if (e.what != What::compute || e.kind.empty()) return std::string(name(e.what));
  return std::string(e.kind);
}

/// Categories (computing: a kind each) in the order of the stack and legend: computing by total time, then the others.
std::vector<Category> categories_of(const Timeline& timeline) {
  std::map<std::string, double> computing;
  std::array<bool, what_count> present{};
  for (const Event& e : timeline.events())
    if (e.what == What::disk)
      continue;  // beside the others
    else if (e.what == What::compute)
      computing[category_name(e)] += e.end_s - e.begin_s;
    else
      present[static_cast<std::size_t>(e.what)] = true;
  std::vector<std::pair<double, std::string>> by_time;
  for (const auto& [kind, s] : computing) by_time.emplace_back(-s, kind);
  std::sort(by_time.begin(), by_time.end());
  std::vector<Category> categories;
  for (const auto& [s, kind] : by_time)
    categories.push_back({kind, compute_colours[categories.size() % std::size(compute_colours)]});
  for (std::size_t w = 1; w < what_count; ++w)
    if (present[w]) categories.push_back({std::string(what_names[w]), what_colours[w]});
  return categories;
}

/// share[c][k]: the part of pixel column c that one rank spent on category k.
using Shares = std::vector<std::vector<double>>;

void add_stretch(Shares& share, std::size_t category, double from, double to) {
  from = std::clamp(from, 0.0, double(columns));
  to = std::clamp(to, 0.0, double(columns));
  for (int c = static_cast<int>(from); c < columns && c < to; ++c)
    share[c][category] += std::min(to, c + 1.0) - std::max(from, double(c));
}

Shares shares_of(const Timeline& timeline, int rank, const std::map<std::string, std::size_t>& place) {
  const double zero_s = timeline.begin_s();
  const double scale = columns / std::max(timeline.end_s() - zero_s, 1e-300);
  Shares share(columns, std::vector<double>(place.size()));
  for (const Event& e : timeline.events())
    if (e.rank == rank && e.what != What::disk)
      add_stretch(share, place.at(category_name(e)), (e.begin_s - zero_s) * scale,
                  (e.end_s - zero_s) * scale);
  for (auto& column : share) {
    double sum = 0;
    for (double s : column) sum += s;
    for (double& s : column) s = std::round(100 * s / std::max(sum, 1.0)) / 100;
  }
  return share;
}

/// One rank's row: equal neighbouring columns become one box.
void write_row(std::ostream& out, const Shares& share, const std::vector<Category>& categories, double y) {
  for (int begin = 0; begin < columns;) {
    int end = begin + 1;
    while (end < columns && share[end] == share[begin]) ++end;
    double bottom = y + row_height - 4;
    for (std::size_t k = 0; k < categories.size(); ++k) {
      const double height = share[begin][k] * (row_height - 4);
      if (height <= 0) continue;
      bottom -= height;
      out << printed(R"(<rect x="%d" y="%.2f" width="%d" height="%.2f" fill="%s"/>)", left + begin, bottom,
                     end - begin, height, categories[k].colour.c_str())
          << '\n';
    }
    begin = end;
  }
}

void write_axis(std::ostream& out, double elapsed_s, double y) {
  const char* unit = elapsed_s >= 1 ? "s" : elapsed_s >= 1e-3 ? "ms" : "us";
  const double length = elapsed_s * (elapsed_s >= 1 ? 1 : elapsed_s >= 1e-3 ? 1e3 : 1e6);
  const double step = round_step(length);
  for (int tick = 0; tick * step <= length && tick <= 20; ++tick) {
    const double x = left + (length > 0 ? columns * tick * step / length : 0);
    out << printed(R"(<line x1="%.1f" y1="%d" x2="%.1f" y2="%.0f" stroke="#bbb" stroke-width="0.5"/>)", x,
                   top, x, y + 4)
        << printed(R"(<text x="%.1f" y="%.0f" text-anchor="middle">%.4g %s</text>)", x, y + 18, tick * step,
                   unit)
        << '\n';
  }
}

/// The path as two lines: of its work, which stays in rows, and of its messages.
void write_path(std::ostream& out, const Timeline& timeline, const std::vector<PathLink>& path) {
  const double zero_s = timeline.begin_s();
  const double scale = columns / std::max(timeline.end_s() - zero_s, 1e-300);
  std::map<int, double> middle;
  for (const Totals& t : timeline.totals()) {
    const double y = top + double(middle.size()) * row_height + (row_height - 4) / 2.0;
    middle.emplace(t.rank, y);
  }
  std::string work, messages;
  for (const PathLink& link : path)
    (link.what == Link::flight ? messages : work) +=
        printed("M%.2f %.1fL%.2f %.1f", left + (link.begin_s - zero_s) * scale, middle.at(link.from),
                left + (link.end_s - zero_s) * scale, middle.at(link.rank));
  out << printed(R"(<path d="%s" stroke="%s" stroke-width="3" fill="none"/>)", work.c_str(), path_colours[0])
      << '\n'
      << printed(R"(<path d="%s" stroke="%s" stroke-width="1.5" fill="none"/>)", messages.c_str(),
                 path_colours[1])
      << '\n';
}

}  // namespace

void write_svg(std::ostream& out, const Timeline& timeline, const std::string& title,
               const std::vector<PathLink>& path) {
  const std::vector<Category> categories = categories_of(timeline);
  std::map<std::string, std::size_t> place;
  for (std::size_t k = 0; k < categories.size(); ++k) place[categories[k].name] = k;
  const int ranks = static_cast<int>(timeline.totals().size());
  const double bottom = top + double(ranks) * row_height;
  std::vector<Category> legend = categories;
  if (!path.empty())
    legend.insert(legend.end(), {{"critical path", path_colours[0]}, {"its messages", path_colours[1]}});
  open_svg(out, left + columns + 40, bottom + 38 + legend_row * legend_rows(legend), title);
  write_axis(out, timeline.end_s() - timeline.begin_s(), bottom);
  double y = top;
  for (const Totals& t : timeline.totals()) {
    out << printed(R"(<text x="%d" y="%.0f" text-anchor="end">rank %d</text>)", left - 8,
                   y + row_height / 2.0 + 3, t.rank)
        << '\n';
    write_row(out, shares_of(timeline, t.rank, place), categories, y);
    y += row_height;
  }
  if (!path.empty()) write_path(out, timeline, path);
  write_legend(out, legend, bottom + 32);
  out << "</svg>\n";
}

}  // namespace overlapack::trace
