#include "dense/check/entry_sizes.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::dense {
namespace {

double largest_of_all(const std::vector<double>& values) {
  double most = 0;
  for (double value : values) most = Larger()(most, value);
  return most;
}

/// Two vectors in one reduction.
template <class Op>
void all_reduce_both(comm::Rank& rank, std::vector<double>& a, std::vector<double>& b, Op op) {
  std::vector<double> both(a);
  both.insert(both.end(), b.begin(), b.end());
  comm::collective::all_reduce(rank, std::span<double>(both), op);
  std::copy_n(both.begin(), a.size(), a.begin());
  std::copy(both.begin() + static_cast<std::ptrdiff_t>(a.size()), both.end(), b.begin());
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
  for (Index first = A.first_col(begin); first < mine; first += A.cols.block) {
    const MatrixView<const T> part = columns(first, std::min(A.cols.block, mine - first));
    for (Index c = 0; c < part.cols; ++c) {
      const Index j = A.cols.global({first + c}, A.me.col).value;
      for (Index r = 0; r < part.rows; ++r) {
        const double size = std::abs(part(r, c));
        sum[r] += size;
        most[r] = Larger()(most[r], size);
        sizes.col_sum[j] += size;
        sizes.col_max[j] = Larger()(sizes.col_max[j], size);
      }
    }
  }
  for (Index r = 0; r < A.local.rows; ++r) {
    const Index i = A.rows.global({r}, A.me.row).value;
    sizes.row_sum[i] = sum[r];
    sizes.row_max[i] = most[r];
  }
  all_reduce_both(rank, sizes.row_sum, sizes.col_sum, std::plus<>());
  all_reduce_both(rank, sizes.row_max, sizes.col_max, Larger());
  return sizes;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                  \
  template EntrySizes entry_sizes(comm::Rank&, const dist::DistributedMatrix<T>&, ColumnSource<T>, \
                                  dist::Global, dist::Global);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
