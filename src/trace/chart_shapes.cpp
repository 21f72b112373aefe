#include "trace/chart_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::trace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

void open_svg(std::ostream& out, int width, double height, const std::string& title) {
  out << printed(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" )",
                 width, height, width, height)
      << R"(style="max-width:100%;height:auto" font-family="sans-serif" font-size="12">)"
      << "\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << printed(R"(<text x="%d" y="20" font-size="14">)", chart_left) << escaped(title) << "</text>\n";
}

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text) {
  out << printed(R"(<text x="%.1f" y="%.1f" text-anchor="%s">)", x, y, anchor) << escaped(text)
      << "</text>\n";
}

namespace {

/// Where an entry of a legend stands.
struct LegendPlace {
  int x = 0;
  int row = 0;
};

std::vector<LegendPlace> legend_places(const std::vector<Category>& categories, int width) {
  std::vector<LegendPlace> places;
  LegendPlace next;
  for (const Category& c : categories) {
    const int length = 40 + 7 * static_cast<int>(c.name.size());
    if (next.x > 0 && next.x + length > width) next = {0, next.row + 1};
    places.push_back(next);
    next.x += length;
  }
  return places;
}

}  // namespace

int legend_rows(const std::vector<Category>& categories, int width) {
  return categories.empty() ? 0 : legend_places(categories, width).back().row + 1;
}

void write_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width) {
  const std::vector<LegendPlace> places = legend_places(categories, width);
  for (std::size_t k = 0; k < categories.size(); ++k) {
    const int x = chart_left + places[k].x;
    const double row = y + legend_row * places[k].row;
    out << printed(R"(<rect x="%d" y="%.0f" width="12" height="12" fill="%s"/>)", x, row,
                   categories[k].colour.c_str())
        << printed(R"(<text x="%d" y="%.0f">)", x + 17, row + 10) << escaped(categories[k].name)
        << "</text>\n";
  }
}

double round_step(double length) {
  const double rough = std::max(length, 1e-300) / 10;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

}  // namespace overlapack::trace
