#pragma once
#include "overlapack/printed.hpp"
#include "overlapack/trace.hpp"

#include <ostream>
#include <string>
#include <vector>

/// What the pictures of this folder have in common.
namespace overlapack::trace {

inline constexpr int chart_left = 70;
inline constexpr int chart_top = 34;

/// What gets a colour of its own.
struct Category {
  std::string name;
  std::string colour;
};
inline constexpr const char* what_colours[what_count] = {"#2a7f4f", "#8e6bbf", "#e8a33d", "#f0cf65",
                                                         "#d1495b", "#e4e4e4", "#6b4226"};

std::string escaped(const std::string& text);

/// The head of a picture, with its title.
void open_svg(std::ostream& out, int width, double height, const std::string& title);
/// anchor: which part of the text is at (x, y): start, middle, end.
void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text);
/// In rows of at most this width; each is legend_row high.
void write_legend(std::ostream& out, const std::vector<Category>& categories, double y, int width = 1200);
int legend_rows(const std::vector<Category>& categories, int width = 1200);
inline constexpr int legend_row = 18;

/// 1, 2 or 5 times a power of ten, so that about ten ticks cover `length`.
double round_step(double length);

}  // namespace overlapack::trace
