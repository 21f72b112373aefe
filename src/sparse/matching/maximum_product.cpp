#include "sparse/matching/maximum_product.hpp"

#include "sparse/matching/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::sparse {
namespace {

/// log2 |x|, -infinity for 0; |x| itself may lie outside the range of a double.
double log2_abs(double x) { return std::log2(std::fabs(x)); }
double log2_abs(const std::complex<double>& x) {
  const double a = std::max(std::fabs(x.real()), std::fabs(x.imag()));
  const double b = std::min(std::fabs(x.real()), std::fabs(x.imag()));
  if (b == 0) return std::log2(a);
  return std::log2(a) + 0.5 * std::log2(1 + (b / a) * (b / a));
}

template <class T>
struct WideType {
  using type = double;
};
template <class R>
struct WideType<std::complex<R>> {
  using type = std::complex<double>;
};

/// c_ij = log2 max_k |a_kj| - log2 |a_ij| >= 0, and that maximum by column (0 for a column of zeros).
template <class T>
std::vector<double> make_costs(const SparseMatrix<T>& A, std::vector<double>& column_maximum) {
  std::vector<double> cost(A.value.size());
  column_maximum.assign(A.cols, 0.0);
  for (Index j = 0; j < A.cols; ++j) {
    double maximum = -std::numeric_limits<double>::infinity();
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      cost[p] = log2_abs(static_cast<typename WideType<T>::type>(A.value[p]));
      maximum = std::max(maximum, cost[p]);
    }
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      cost[p] = std::isinf(cost[p]) ? std::numeric_limits<double>::infinity() : maximum - cost[p];
    if (!std::isinf(maximum)) column_maximum[j] = maximum;
  }
  return cost;
}

/// The power of two nearest to 2^x, within the range of a double.
double power_of_two(double x) { return std::exp2(std::clamp(std::round(x), -1000.0, 1000.0)); }

}  // namespace

template <class T>
Matching maximum_product_matching(const SparseMatrix<T>& A) {
  std::vector<double> column_maximum;
  const AssignmentProblem problem{A.cols, A.start.data(), A.row.data(), make_costs(A, column_maximum)};
  Assignment assignment = solve_assignment(problem);

  Matching matching;
  matching.row_of_column = std::move(assignment.row_of_column);
  matching.structural_rank = assignment.size;
  matching.row_scale.resize(A.rows);
  matching.col_scale.resize(A.cols);
  // c_ij - u_i - v_j >= 0 says 2^u_i |a_ij| 2^(v_j - max_j) <= 1.
  for (Index i = 0; i < A.rows; ++i) matching.row_scale[i] = power_of_two(assignment.row_dual[i]);
  for (Index j = 0; j < A.cols; ++j)
    matching.col_scale[j] = power_of_two(assignment.col_dual[j] - column_maximum[j]);
  return matching;
}

std::vector<double> symmetric_scaling(const Matching& matching) {
  std::vector<double> scale(matching.row_scale.size());
  for (std::size_t i = 0; i < scale.size(); ++i)
    scale[i] = power_of_two(0.5 * (std::log2(matching.row_scale[i]) + std::log2(matching.col_scale[i])));
  return scale;
}

template Matching maximum_product_matching(const SparseMatrix<float>&);
template Matching maximum_product_matching(const SparseMatrix<double>&);
template Matching maximum_product_matching(const SparseMatrix<std::complex<float>>&);
template Matching maximum_product_matching(const SparseMatrix<std::complex<double>>&);

}  // namespace overlapack::sparse
