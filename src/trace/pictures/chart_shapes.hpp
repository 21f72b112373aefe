#pragma once
#include "overlapack/printed.hpp"
#include "overlapack/trace.hpp"
#include "trace/pictures/families.hpp"

#include <ostream>
#include <string>
#include <vector>

/// Shapes and sizes shared by the pictures of this folder.
namespace overlapack::trace {

inline constexpr int chart_left = 96;
inline constexpr int chart_top = 34;
/// Sizes of pictures with large text.
inline constexpr int plot_width = 960;
inline constexpr int picture_width = chart_left + plot_width + 44;

/// Colours for a light background; open_svg's style changes them for a dark one.
inline constexpr const char* ink = "#1f2328";
inline constexpr const char* grid_ink = "#c4c8cd";

/// A legend entry with its colour. css: the class that gives it another colour on a dark background.
struct Category {
  std::string name;
  std::string colour;
  std::string css = {};
};

std::string escaped(const std::string& text);

/// Write the head of a picture, with its title. The picture is `width` pixels wide, shrinks on a narrower screen, and can be read
/// on a light and on a dark background.
/// has_large_text: on a telephone the text grows by a factor of 1.7, for which the caller's layout must leave room.
void open_svg(std::ostream& out, int width, double height, const std::string& title,
              bool has_large_text = false);
/// Write one line of text. anchor: the part of the text that is at (x, y): start, middle or end.
void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text);
/// Write a legend in rows of at most `width`, each legend_row high.
void write_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width = 1200);
inline constexpr int legend_row = 18;

/// Write a legend column by column, with room for large text.
void write_wide_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width);
double wide_legend_height(const std::vector<Category>& categories);
/// Legend of the families with time above 0, in the order of Family.
std::vector<Category> legend_of(const std::vector<FamilySeconds>& seconds);
/// The CSS class by which a family's colour changes on a dark background: of idle alone, else empty.
constexpr std::string_view dark_background_class(Family family) {
  return family == Family::idle ? "idle" : "";
}
/// Write text broken into lines that fit into `width` even as large text; y: baseline of the first line.
void write_paragraph(std::ostream& out, const std::string& text, double y, int width);
double paragraph_height(const std::string& text, int width);

/// Distance of an axis's ticks: 1, 2 or 5 times a power of ten, so that about ten ticks cover `length`.
double round_step(double length);

}  // namespace overlapack::trace
