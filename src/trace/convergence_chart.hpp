#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace overlapack::trace {

/// What a picture of an iteration shows.
struct ConvergenceRecord {
  struct Point {
    double x = 0;
    double residual = 0;
    bool is_true = false;
  };
  std::vector<Point> points;
  std::string x_name;  ///< "seconds", "iterations of rank 0"
  std::vector<std::int64_t> iterations_of_rank;
  std::vector<std::int64_t> batches;  ///< [k]: receives that found k + 1 messages
};

/// A picture in three parts: residuals over time on a logarithmic scale (dots: true ones), how many ranks did how many
/// iterations, and how many messages had come to a receive. Parts without figures are left out.
/// Source  paper 5, figures 7 to 9
void write_convergence_chart(std::ostream& out, const ConvergenceRecord& record, const std::string& title);

}  // namespace overlapack::trace
