#include "overlapack/trace.hpp"
#include "trace/pictures/chart_shapes.hpp"
#include "trace/pictures/plain_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::trace {
namespace {

constexpr int curves_width = 640, curves_height = 320;
constexpr const char* curve_colours[] = {"#1d5c8f", "#d1495b", "#2a7f4f", "#e8a33d",
                                         "#5e548e", "#3aa6a0", "#8d6e4a"};

/// The y axis: maps seconds to the height in the picture, logarithmic where they span more than a factor of 10.
class Axis {
 public:
  explicit Axis(const std::vector<Curve>& curves) {
    for (const Curve& curve : curves)
      for (const double s : curve.seconds)
        if (s > 0) least_ = std::min(least_, s), most_ = std::max(most_, s);
    if (most_ <= 0) least_ = most_ = 1;
    is_log_ = most_ > 10 * least_;
    if (is_log_) {
      least_ = std::pow(10, std::floor(std::log10(least_)));
      most_ = std::pow(10, std::ceil(std::log10(most_)));
    } else {
      least_ = 0;
      const double step = round_step(most_);
      most_ = std::ceil(most_ / step) * step;
    }
  }
  double position_on_axis(double s) const {
    const double share = is_log_ ? std::log(s / least_) / std::log(most_ / least_) : s / most_;
    return chart_top + curves_height * (1 - share);
  }
  std::vector<double> ticks() const {
    std::vector<double> found;
    if (is_log_)
      for (double s = least_; s <= most_ * 1.001; s *= 10) found.push_back(s);
    else
      for (int i = 0; i * round_step(most_) <= most_ * 1.001; ++i) found.push_back(i * round_step(most_));
    return found;
  }
  std::string label(double s) const {
    const double unit = most_ >= 1 ? 1 : most_ >= 1e-3 ? 1e-3 : 1e-6;
    return printed("%.4g %s", s / unit, unit == 1 ? "s" : unit == 1e-3 ? "ms" : "us");
  }

 private:
  double least_ = 1e300, most_ = 0;
  bool is_log_ = false;
};

double position_of(std::size_t tick, std::size_t ticks) {
  return chart_left + curves_width * (static_cast<double>(tick) + 0.5) / static_cast<double>(ticks);
}

void write_grid(std::ostream& out, const CurveChart& chart, const Axis& axis) {
  for (const double s : axis.ticks()) {
    const double y = axis.position_on_axis(s);
    out << printed(R"(<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/>)", chart_left, y,
                   chart_left + curves_width, y);
    write_text(out, chart_left - 6, y + 4, "end", axis.label(s));
  }
  for (std::size_t i = 0; i < chart.ticks.size(); ++i)
    write_text(out, position_of(i, chart.ticks.size()), chart_top + curves_height + 18, "middle",
               chart.ticks[i]);
  write_text(out, chart_left + curves_width / 2.0, chart_top + curves_height + 38, "middle", chart.x_name);
}

void write_curve(std::ostream& out, const Curve& curve, std::size_t ticks, const Axis& axis,
                 const char* colour) {
  std::string points, marks;
  for (std::size_t i = 0; i < curve.seconds.size(); ++i) {
    if (!(curve.seconds[i] > 0)) continue;
    const double x = position_of(i, ticks), y = axis.position_on_axis(curve.seconds[i]);
    points += printed("%.1f,%.1f ", x, y);
    if (!curve.is_dashed)
      marks += printed(R"(<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>)", x, y, colour) + "\n";
  }
  out << "<polyline points=\"" << points
      << printed(R"(" fill="none" stroke="%s" stroke-width="1.8"%s/>)", colour,
                 curve.is_dashed ? R"( stroke-dasharray="5 4")" : "")
      << '\n'
      << marks;
}

}  // namespace

void write_curves(std::ostream& out, const CurveChart& chart) {
  const PlainNumbers plain(out);
  const Axis axis(chart.curves);
  open_svg(out, chart_left + curves_width + 30, chart_top + curves_height + 76, chart.title);
  write_grid(out, chart, axis);
  std::vector<Category> legend;
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const char* colour = chart.curves[c].is_dashed ? "#999999" : curve_colours[c % std::size(curve_colours)];
    write_curve(out, chart.curves[c], chart.ticks.size(), axis, colour);
    legend.push_back({chart.curves[c].name, colour});
  }
  write_legend(out, legend, chart_top + curves_height + 52);
  out << "</svg>\n";
}

}  // namespace overlapack::trace
