#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace overlapack::trace {

/// Seconds, one for each tick of the chart; what is not positive is left out.
struct Curve {
  std::string name;
  std::vector<double> seconds;
  bool is_dashed = false;
};

/// Times over values that need not be numbers: ticks stand at equal distances.
struct CurveChart {
  std::string title;
  std::string x_name;
  std::vector<std::string> ticks;
  std::vector<Curve> curves;
};

/// A picture of the chart; its axis is logarithmic where the times differ by more than a factor of ten, else it begins at 0.
void write_curves(std::ostream& out, const CurveChart& chart);

}  // namespace overlapack::trace
