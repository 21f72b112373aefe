#pragma once
#include "overlapack/printed.hpp"
#include "overlapack/trace.hpp"
#include "trace/pictures/families.hpp"

#include <ostream>
#include <string>
#include <vector>

/// What the pictures of this folder have in common.
namespace overlapack::trace {

inline constexpr int chart_left = 96;
inline constexpr int chart_top = 34;
/// Of pictures with large text.
inline constexpr int plot_width = 960;
inline constexpr int picture_width = chart_left + plot_width + 44;

/// Colours of a reader's light background; a dark one changes them (open_svg).
inline constexpr const char* ink = "#1f2328";
inline constexpr const char* grid_ink = "#c4c8cd";

/// What gets a colour of its own. css: the class that gives it another one on a dark background.
struct Category {
  std::string name;
  std::string colour;
  std::string css = {};
};

std::string escaped(const std::string& text);

/// The head of a picture, with its title: as wide as `width` where there is room, else it shrinks; readable on light and on dark.
/// has_large_text: on a telephone the text grows by 1.7, which its positions must allow.
void open_svg(std::ostream& out, int width, double height, const std::string& title,
              bool has_large_text = false);
/// anchor: which part of the text is at (x, y): start, middle, end.
void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text);
/// In rows of at most this width; each is legend_row high.
void write_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width = 1200);
int legend_rows(const std::vector<Category>& categories, int width = 1200);
inline constexpr int legend_row = 18;

/// Entries below each other in columns, with room for large text.
void write_wide_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width);
double wide_legend_height(const std::vector<Category>& categories);
/// The families that there are, in their order.
std::vector<Category> legend_of(const std::vector<FamilySeconds>& seconds);
/// What is idle is dark on a dark background.
constexpr std::string_view css_of(Family family) { return family == Family::idle ? "idle" : ""; }
/// Sentences in lines that a picture of this width has room for, as large text too; y: of the first line.
void write_paragraph(std::ostream& out, const std::string& text, double y, int width);
double paragraph_height(const std::string& text, int width);

/// 1, 2 or 5 times a power of ten, so that about ten ticks cover `length`.
double round_step(double length);

}  // namespace overlapack::trace
