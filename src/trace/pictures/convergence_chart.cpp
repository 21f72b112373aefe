#include "overlapack/trace.hpp"
#include "trace/pictures/chart_shapes.hpp"
#include "trace/pictures/plain_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::trace {
namespace {

constexpr int axes_width = 760;
constexpr int axes_height = 190;  ///< of one part
constexpr int part_height = 260;  ///< with its title and numbers
constexpr std::size_t most_bars = 16;

struct Bar {
  std::string label;
  std::int64_t count = 0;
};

/// At most most_bars equal intervals between the smallest and the largest number.
std::vector<Bar> histogram(const std::vector<std::int64_t>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::int64_t step =
      std::max<std::int64_t>(1, (high - low) / static_cast<std::int64_t>(most_bars) + 1);
  std::vector<Bar> bars;
  for (std::int64_t from = low; from <= high; from += step)
    bars.push_back({std::to_string(from), std::ranges::count_if(values, [&](std::int64_t v) {
                      return v >= from && v < from + step;
                    })});
  return bars;
}

void write_frame(std::ostream& out, double top, const std::string& title, const std::string& x_name) {
  write_text(out, chart_left, top - 8, "start", title);
  write_text(out, chart_left + axes_width / 2.0, top + axes_height + 36, "middle", x_name);
  out << printed(R"(<rect x="%d" y="%.0f" width="%d" height="%d" fill="none" stroke="#888"/>)", chart_left,
                 top, axes_width, axes_height)
      << '\n';
}

void write_bars(std::ostream& out, const std::vector<Bar>& bars, double top, const std::string& title,
                const std::string& x_name) {
  write_frame(out, top, title, x_name);
  std::int64_t most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.count);
  const double step = static_cast<double>(axes_width) / static_cast<double>(bars.size());
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const double x = chart_left + step * static_cast<double>(k), middle = x + step / 2;
    const double tall = 0.88 * axes_height * static_cast<double>(bars[k].count) / static_cast<double>(most);
    out << printed(R"(<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>)", x + 0.1 * step,
                   top + axes_height - tall, 0.8 * step, tall, look_of(Family::products).colour.data())
        << '\n';
    if (bars[k].count > 0)
      write_text(out, middle, top + axes_height - tall - 4, "middle", std::to_string(bars[k].count));
    write_text(out, middle, top + axes_height + 16, "middle", bars[k].label);
  }
}

void write_residuals(std::ostream& out, const ConvergenceRecord& record, double top) {
  double low = 0, high = -1, right = 0;
  for (const auto& p : record.points) {
    if (!(p.residual > 0) || !std::isfinite(p.residual)) continue;
    const double power = std::log10(p.residual);
    if (high < low) low = high = power;
    low = std::min(low, power);
    high = std::max(high, power);
    right = std::max(right, p.x);
  }
  low = std::floor(low);
  high = std::max(std::ceil(high), low + 1);
  write_frame(out, top, "residual (line: the sum that triggers, dots: true residuals of one vector)",
              record.x_name);
  const auto y_of = [&](double residual) {
    return top + axes_height * (high - std::log10(residual)) / (high - low);
  };
  const auto x_of = [&](double x) { return chart_left + (right > 0 ? axes_width * x / right : 0); };
  const double stride = std::max(1.0, std::ceil((high - low) / 8));
  for (double power = low; power <= high; power += stride) {
    const double y = y_of(std::pow(10, power));
    out << printed(R"(<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/>)", chart_left, y,
                   chart_left + axes_width, y)
        << '\n';
    write_text(out, chart_left - 6, y + 4, "end", printed("1e%.0f", power));
  }
  for (int tick = 0; tick <= 4; ++tick)
    write_text(out, chart_left + axes_width * tick / 4.0, top + axes_height + 16, "middle",
               printed("%.4g", right * tick / 4));
  const auto is_shown = [](const auto& p) { return p.residual > 0 && std::isfinite(p.residual); };
  const bool are_all_true = std::ranges::all_of(record.points, [](const auto& p) { return p.is_true; });
  out << "<polyline fill=\"none\" stroke=\"#1d5c8f\" stroke-width=\"1.5\" points=\"";
  for (const auto& p : record.points)
    if (is_shown(p) && (are_all_true || !p.is_true))
      out << printed("%.1f,%.1f ", x_of(p.x), y_of(p.residual));
  out << "\"/>\n";
  for (const auto& p : record.points)
    if (is_shown(p) && p.is_true && !are_all_true)
      out << printed(R"(<circle cx="%.1f" cy="%.1f" r="3" fill="#d1495b"/>)", x_of(p.x), y_of(p.residual))
          << '\n';
}

}  // namespace

void write_convergence_chart(std::ostream& out, const ConvergenceRecord& record, const std::string& title) {
  const PlainNumbers plain(out);
  const bool has_ranks = record.iterations_of_rank.size() > 1;
  const int parts = !record.points.empty() + has_ranks + !record.batches.empty();
  open_svg(out, chart_left + axes_width + 30, chart_top + 20 + parts * part_height, title);
  double top = chart_top + 20;
  if (!record.points.empty()) {
    write_residuals(out, record, top);
    top += part_height;
  }
  if (has_ranks) {
    write_bars(out, histogram(record.iterations_of_rank), top, "ranks by their iterations",
               "iterations, from");
    top += part_height;
  }
  if (!record.batches.empty()) {
    std::vector<Bar> bars;
    for (std::size_t k = 0; k < record.batches.size() && k < most_bars; ++k)
      bars.push_back({std::to_string(k + 1), record.batches[k]});
    for (std::size_t k = most_bars; k < record.batches.size(); ++k) bars.back().count += record.batches[k];
    if (record.batches.size() > most_bars) bars.back().label += " or more";
    write_bars(out, bars, top, "receives by the number of halos that had come", "halos");
  }
  out << "</svg>\n";
}

}  // namespace overlapack::trace
