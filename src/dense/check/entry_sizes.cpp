#include "dense/check/entry_sizes.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::dense {
namespace {

double largest_of_all(const std::vector<double>& values) {
  double most = 0;
  for (double value : values) most = Larger()(most, value);
  return most;
}

/// All-reduce two vectors in one reduction.
template <class Op>
void all_reduce_both(comm::Rank& rank, std::vector<double>& a, std::vector<double>& b, Op op) {
  std::vector<double> both(a);
  both.insert(both.end(), b.begin(), b.end());
  comm::collective::all_reduce(rank, std::span<double>(both), op);
  std::copy_n(both.begin(), a.size(), a.begin());
  std::copy(both.begin() + static_cast<std::ptrdiff_t>(a.size()), both.end(), b.begin());
}

/// Adds |a_i| of a column to the row sums and updates the row maxima; does the same for the column's own sum and maximum. It works in
/// lanes so that the compiler vectorises it. NaN shows in the sums alone; propagate_nan carries it over to the maxima.
template <class T>
void measure_column(Index m, const T* a, double* sum, double* most, double& col_sum, double& col_most) {
  constexpr Index lanes = 4;
  double sums[lanes] = {}, largest[lanes] = {};
  const auto measure = [&](Index i, Index lane) {
    const double size = std::abs(a[i]);
    sum[i] += size;
    most[i] = most[i] < size ? size : most[i];
    sums[lane] += size;
    largest[lane] = largest[lane] < size ? size : largest[lane];
  };
  Index i = 0;
  for (; i + lanes <= m; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane) measure(i + lane, lane);
  for (; i < m; ++i) measure(i, 0);
  for (Index lane = 0; lane < lanes; ++lane) {
    col_sum += sums[lane];
    col_most = std::max(col_most, largest[lane]);
  }
}

void propagate_nan(const std::vector<double>& sum, std::vector<double>& most) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (std::isnan(sum[i])) most[i] = sum[i];
}

}  // namespace

double EntrySizes::norm_inf() const { return largest_of_all(row_sum); }
double EntrySizes::norm_one() const { return largest_of_all(col_sum); }

template <class T>
EntrySizes entry_sizes(comm::Rank& rank, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
                       dist::Global begin, dist::Global end) {
  const auto m = static_cast<std::size_t>(A.m()), n = static_cast<std::size_t>(A.n());
  EntrySizes sizes{std::vector<double>(m), std::vector<double>(n), std::vector<double>(m),
                   std::vector<double>(n)};
  std::vector<double> sum(static_cast<std::size_t>(A.local.rows)), most(sum.size());  // of my rows
  const Index mine = std::min(A.first_col(end), A.local.cols);  // none outside of the grid
  constexpr Index at_once = 32;                                 // columns: regenerated ones stay in cache
  const Index step = std::min(A.cols.block, at_once);
  for (Index first = A.first_col(begin); first < mine; first += step) {
    const MatrixView<const T> part = columns(first, std::min(step, mine - first));
    for (Index c = 0; c < part.cols; ++c) {
      const Index j = A.cols.global({first + c}, A.me.col).value;
      measure_column(part.rows, part.column(c), sum.data(), most.data(), sizes.col_sum[j], sizes.col_max[j]);
    }
  }
  for (Index r = 0; r < A.local.rows; ++r) {
    const Index i = A.rows.global({r}, A.me.row).value;
    sizes.row_sum[i] = sum[r];
    sizes.row_max[i] = most[r];
  }
  all_reduce_both(rank, sizes.row_sum, sizes.col_sum, std::plus<>());
  all_reduce_both(rank, sizes.row_max, sizes.col_max, Larger());
  propagate_nan(sizes.row_sum, sizes.row_max);
  propagate_nan(sizes.col_sum, sizes.col_max);
  return sizes;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                  \
  template EntrySizes entry_sizes(comm::Rank&, const dist::DistributedMatrix<T>&, ColumnSource<T>, \
                                  dist::Global, dist::Global);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
