#include "dense/lu/solve/condition.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/check/one_norm_estimate.hpp"
#include "dense/check/residual.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// Broadcast rank 0's values.
template <class V>
void broadcast_span(comm::Rank& rank, std::span<V> values) {
  const bool is_root = rank.rank() == 0;
  const comm::Body body = comm::collective::broadcast(
      rank, 0, is_root ? comm::Body::copy_of(std::span<const V>(values)) : comm::Body());
  if (!is_root) std::ranges::copy(body.as<V>(), values.begin());
}

template <class T>
void multiply_elementwise(std::span<T> x, const std::vector<double>& by) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= static_cast<Real<T>>(by[i]);
}

/// order[i]: the row of A that is at position i after the exchanges.
std::vector<Index> row_order(Index n, std::span<const Index> pivots) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t k = 0; k < pivots.size(); ++k)
    std::swap(order[k], order[static_cast<std::size_t>(pivots[k])]);
  return order;
}

/// |op(A)| C^{-1} e
template <class T>
std::vector<double> scaled_row_sums(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A,
                                    const std::vector<double>& column_scale) {
  const Index n = A.n();
  std::vector<T> x(column_scale.size());
  std::ranges::transform(column_scale, x.begin(), [](double c) { return T(static_cast<Real<T>>(1 / c)); });
  std::vector<kernels::WideScalar<T>> r(x.size());
  std::vector<Real<T>> w(x.size());
  residual<T>(rank, op, A, columns_of(A), {x.data(), n, 1, n}, {r.data(), n, 1, n}, {w.data(), n, 1, n});
  std::vector<double> sums(w.begin(), w.end());
  broadcast_span(rank, std::span<double>(sums));
  return sums;
}

}  // namespace

PivotShare smallest_over_ranks(comm::Rank& rank, PivotShare mine) {
  comm::collective::all_reduce(rank, std::span(&mine, 1), [](const PivotShare& a, const PivotShare& b) {
    return std::isnan(a.share) || a.share < b.share || (a.share == b.share && a.col < b.col) ? a : b;
  });
  return mine;
}

template <class T>
PivotShare smallest_pivot_share(comm::Rank& rank, const EntrySizes& sizes,
                                const dist::DistributedMatrix<T>& LU, std::span<const Index> pivots) {
  const std::vector<Index> row = row_order(LU.m(), pivots);
  PivotShare least{std::numeric_limits<double>::infinity()};
  for_my_diagonal(LU, [&](Index k, const T& u) {
    const double beside = std::min(sizes.row_max[row[k]], sizes.col_max[k]);
    const double mine = beside > 0 ? static_cast<double>(std::abs(u)) / beside : 0;
    if (!(mine >= least.share)) least = {mine, row[static_cast<std::size_t>(k)], k};  // keeps NaN
  });
  return smallest_over_ranks(rank, least);
}

template <class T>
double scaled_condition(comm::Rank& rank, const dist::DistributedMatrix<T>& A, kernels::Op stored,
                        const EntrySizes& sizes,
                        const std::function<void(kernels::Op, std::span<T>)>& solve) {
  const std::vector<double>& C = sizes.col_max;
  const std::vector<double> R = scaled_row_sums(rank, stored, A, C);
  // the infinity norm of C A^{-1} R is the 1-norm of its adjoint
  return estimate_one_norm<T>(
      A.n(),
      [&](std::span<T> x) {
        multiply_elementwise(x, C);
        solve(Op::conj_trans, x);
        multiply_elementwise(x, R);
      },
      [&](std::span<T> x) {
        multiply_elementwise(x, R);
        solve(Op::none, x);
        multiply_elementwise(x, C);
      });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template PivotShare smallest_pivot_share(comm::Rank&, const EntrySizes&,                             \
                                           const dist::DistributedMatrix<T>&, std::span<const Index>); \
  template double scaled_condition(comm::Rank&, const dist::DistributedMatrix<T>&, kernels::Op,        \
                                   const EntrySizes&,                                                  \
                                   const std::function<void(kernels::Op, std::span<T>)>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
