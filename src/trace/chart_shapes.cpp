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
  out << printed(
             R"(<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" font-family="sans-serif" font-size="12">)",
             width, height)
      << "\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << printed(R"(<text x="%d" y="20" font-size="14">)", chart_left) << escaped(title) << "</text>\n";
}

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text) {
  out << printed(R"(<text x="%.1f" y="%.1f" text-anchor="%s">)", x, y, anchor) << escaped(text)
      << "</text>\n";
}

void write_legend(std::ostream& out, const std::vector<Category>& categories, double y) {
  int x = chart_left;
  for (const Category& c : categories) {
    out << printed(R"(<rect x="%d" y="%.0f" width="12" height="12" fill="%s"/>)", x, y, c.colour.c_str())
        << printed(R"(<text x="%d" y="%.0f">)", x + 17, y + 10) << escaped(c.name) << "</text>\n";
    x += 40 + 7 * static_cast<int>(c.name.size());
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
