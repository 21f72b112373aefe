#include "sparse/matching/equilibration.hpp"

#include "base/instantiate.hpp"
#include "sparse/matching/entry_size.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::sparse {
namespace {

constexpr int most_sweeps = 20;
constexpr double near_one = 0.1;  ///< in binary digits
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// Move each scale (a logarithm) by half of the distance of its largest entry from 2^0. Returns the largest distance before.
double step(std::vector<double>& scale, const std::vector<double>& largest) {
  double distance = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (std::isinf(largest[i])) continue;  // no entries
    distance = std::max(distance, std::abs(largest[i]));
    scale[i] -= largest[i] / 2;
  }
  return distance;
}

template <class T>
std::vector<double> powers_of_two(const std::vector<double>& logs) {
  std::vector<double> scale(logs.size());
  std::ranges::transform(logs, scale.begin(), [](double x) { return power_of_two<T>(x); });
  return scale;
}

}  // namespace

template <class T>
Equilibration equilibrate(const SparseMatrix<T>& A, bool is_symmetric) {
  // in logarithms to base 2: entries and scales may lie far outside of the range of numbers
  std::vector<double> size(A.value.size());
  for (std::size_t k = 0; k < size.size(); ++k) size[k] = log2_abs(A.value[k]);
  std::vector<double> row(static_cast<std::size_t>(A.rows)), col(static_cast<std::size_t>(A.cols));
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    std::vector<double> row_largest(row.size(), minus_infinity), col_largest(col.size(), minus_infinity);
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const double here = size[k] + row[A.row[k]] + col[j];
        row_largest[A.row[k]] = std::max(row_largest[A.row[k]], here);
        col_largest[j] = std::max(col_largest[j], here);
      }
    const double distance = std::max(step(row, row_largest), step(col, col_largest));
    if (is_symmetric) col = row;
    if (distance <= near_one) break;
  }
  return {powers_of_two<T>(row), powers_of_two<T>(col)};
}

#define OVERLAPACK_INSTANTIATE(T) template Equilibration equilibrate(const SparseMatrix<T>&, bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
