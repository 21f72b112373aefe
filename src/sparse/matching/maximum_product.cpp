#include "sparse/matching/maximum_product.hpp"

#include "base/instantiate.hpp"
#include "sparse/matching/assignment.hpp"
#include "sparse/matching/entry_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::sparse {
namespace {

/// The costs c_ij = log2 max_k |a_kj| - log2 |a_ij| >= 0. column_maximum becomes log2 of the maximum of each column (0 for a column of zeros).
template <class T>
std::vector<double> make_costs(const SparseMatrix<T>& A, std::vector<double>& column_maximum) {
  std::vector<double> cost(A.value.size());
  column_maximum.assign(A.cols, 0.0);
  for (Index j = 0; j < A.cols; ++j) {
    double maximum = -std::numeric_limits<double>::infinity();
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      cost[p] = log2_abs(A.value[p]);
      maximum = std::max(maximum, cost[p]);
    }
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      cost[p] = std::isinf(cost[p]) ? std::numeric_limits<double>::infinity() : maximum - cost[p];
    if (!std::isinf(maximum)) column_maximum[j] = maximum;
  }
  return cost;
}

}  // namespace

template <class T>
Matching maximum_product_matching(const SparseMatrix<T>& A,
                                  const std::function<void(double share)>& before_column) {
  std::vector<double> column_maximum;
  const AssignmentProblem problem{A.cols, A.start.data(), A.row.data(), make_costs(A, column_maximum)};
  Assignment assignment = solve_assignment(problem, before_column);

  Matching matching;
  matching.row_of_column = std::move(assignment.row_of_column);
  matching.structural_rank = assignment.size;
  matching.row_scale.resize(A.rows);
  matching.col_scale.resize(A.cols);
  // c_ij - u_i - v_j >= 0 says 2^u_i |a_ij| 2^(v_j - max_j) <= 1.
  for (Index i = 0; i < A.rows; ++i) matching.row_scale[i] = power_of_two<T>(assignment.row_dual[i]);
  for (Index j = 0; j < A.cols; ++j)
    matching.col_scale[j] = power_of_two<T>(assignment.col_dual[j] - column_maximum[j]);
  return matching;
}

std::vector<double> symmetric_scaling(const Matching& matching) {
  std::vector<double> scale(matching.row_scale.size());
  for (std::size_t i = 0; i < scale.size(); ++i)
    scale[i] =
        power_of_two<double>(0.5 * (std::log2(matching.row_scale[i]) + std::log2(matching.col_scale[i])));
  return scale;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template Matching maximum_product_matching(const SparseMatrix<T>&, const std::function<void(double)>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
