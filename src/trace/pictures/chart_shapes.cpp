#include "trace/pictures/chart_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

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

void open_svg(std::ostream& out, int width, double height, const std::string& title, bool has_large_text) {
  out << printed(
             R"(<svg xmlns="http://www.w3.org/2000/svg" class="overlapack" width="%d" height="%.0f" viewBox="0 0 %d %.0f" )",
             width, height, width, height)
      << R"(role="img" font-family="sans-serif" font-size="13">)"
      << "\n<title>" << escaped(title) << "</title>\n"
      << "<style>\n"
         "@media screen { svg.overlapack { max-width: 100%; height: auto } }\n"
         "@media (prefers-color-scheme: dark) {\n"
         "  .overlapack text:not(.on-box) { fill: #e6edf3 } .overlapack .paper { fill: #0d1117 }\n"
         "  .overlapack .grid { stroke: #3d444d } .overlapack .idle { fill: #555c66 }\n"
         "  .overlapack .ink { stroke: #ffffff } .overlapack .ink-box { fill: #ffffff }\n"
         "}\n"
      << (has_large_text ? "@media (max-width: 640px) { .overlapack text { font-size: 22px } .overlapack "
                           ".on-box { font-size: 17px } }\n"
                         : "")
      << "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      << printed(R"(<text x="%d" y="22" font-size="17" font-weight="bold" fill="%s">)", 16, ink)
      << escaped(title) << "</text>\n";
}

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text) {
  out << printed(R"(<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">)", x, y, anchor, ink) << escaped(text)
      << "</text>\n";
}

namespace {

constexpr int wide_columns = 3;
constexpr double large_line = 27;

void write_swatch(std::ostream& out, const Category& category, double x, double y) {
  out << printed(R"(<rect x="%.0f" y="%.0f" width="12" height="12" fill="%s" class="%s"/>)", x, y,
                 category.colour.c_str(), category.css.c_str());
}

/// Read the next word. A number and its unit count as one word, so that no line breaks between them.
bool read_word(std::istream& words, std::string& word) {
  if (!(words >> word)) return false;
  if (std::string unit; word[0] >= '0' && word[0] <= '9' && words >> unit) word += ' ' + unit;
  return true;
}

/// Break text into lines that fit into `width` pixels even in large text (open_svg).
std::vector<std::string> lines_of(const std::string& text, int width) {
  const auto most = static_cast<std::size_t>((width - 32) / 11.5);
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; read_word(words, word);) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > most)
      lines.push_back(word);
    else
      lines.back() += ' ' + word;
  }
  return lines;
}

/// Position of a legend entry.
struct LegendPosition {
  int x = 0;
  int row = 0;
};

std::vector<LegendPosition> legend_positions(const std::vector<Category>& categories, int width) {
  std::vector<LegendPosition> positions;
  LegendPosition next;
  for (const Category& c : categories) {
    const int length = 40 + 7 * static_cast<int>(c.name.size());
    if (next.x > 0 && next.x + length > width) next = {0, next.row + 1};
    positions.push_back(next);
    next.x += length;
  }
  return positions;
}

}  // namespace

void write_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width) {
  const std::vector<LegendPosition> positions = legend_positions(categories, width);
  for (std::size_t k = 0; k < categories.size(); ++k) {
    const int x = chart_left + positions[k].x;
    const double row = y + legend_row * positions[k].row;
    write_swatch(out, categories[k], x, row);
    write_text(out, x + 17, row + 10, "start", categories[k].name);
  }
}

void write_wide_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width) {
  const std::size_t rows = (categories.size() + wide_columns - 1) / wide_columns;
  for (std::size_t k = 0; k < categories.size(); ++k) {
    const double x = 16 + static_cast<double>(k / rows) * (width - 16) / wide_columns;
    const double row = y + static_cast<double>(k % rows) * large_line;
    write_swatch(out, categories[k], x, row + 4);
    write_text(out, x + 22, row + 15, "start", categories[k].name);
  }
}

double wide_legend_height(const std::vector<Category>& categories) {
  return large_line * static_cast<double>((categories.size() + wide_columns - 1) / wide_columns);
}

void write_paragraph(std::ostream& out, const std::string& text, double y, int width) {
  for (const std::string& line : lines_of(text, width)) {
    write_text(out, 16, y, "start", line);
    y += large_line;
  }
}

double paragraph_height(const std::string& text, int width) {
  return large_line * static_cast<double>(lines_of(text, width).size());
}

double round_step(double length) {
  const double rough = std::max(length, 1e-300) / 10;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

std::vector<Category> legend_of(const std::vector<FamilySeconds>& seconds) {
  std::vector<Category> legend;
  for (std::size_t f = 0; f < family_count; ++f) {
    double sum = 0;
    for (const FamilySeconds& mine : seconds) sum += mine[f];
    const FamilyLook& look = look_of(static_cast<Family>(f));
    if (sum > 0)
      legend.push_back({std::string(look.name), std::string(look.colour),
                        std::string(dark_background_class(static_cast<Family>(f)))});
  }
  return legend;
}

}  // namespace overlapack::trace
