#include "dense/check/optimality.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "dense/check/residual.hpp"
#include "kernels/product/norm.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// r - op(A) x on rank 0, rounded to T.
template <class T>
std::vector<T> residual_of(comm::Rank& rank, Op op, const dist::DistributedMatrix<T>& A,
                           ColumnSource<T> columns, std::span<const T> x, std::span<const T> r) {
  const Index rows = op == Op::none ? A.m() : A.n(), cols = op == Op::none ? A.n() : A.m();
  std::vector<kernels::WideScalar<T>> wide(static_cast<std::size_t>(rows));
  std::vector<Real<T>> sizes(wide.size());
  std::ranges::copy(r, wide.begin());
  residual<T>(rank, op, A, columns, {x.data(), cols, 1, cols}, {wide.data(), rows, 1, rows},
              {sizes.data(), rows, 1, rows});
  std::vector<T> rounded(wide.size());
  std::ranges::transform(wide, rounded.begin(), [](const auto& value) { return static_cast<T>(value); });
  return rounded;
}

}  // namespace

template <class T>
Optimality optimality(comm::Rank& rank, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
                      const EntrySizes& sizes, std::span<const T> x, std::span<const T> b) {
  const bool is_root = rank.rank() == 0;
  const std::vector<T> mine =
      residual_of<T>(rank, Op::none, A, columns, x, is_root ? b : std::span<const T>());
  const comm::Body body = comm::collective::broadcast(
      rank, 0, is_root ? comm::Body::copy_of(std::span<const T>(mine)) : comm::Body());
  const std::span<const T> r = body.as<T>();
  const std::vector<T> gradient = residual_of<T>(rank, Op::conj_trans, A, columns, r, {});
  Optimality result{.residual_norm = kernels::norm2(r)};
  double size = kernels::largest(b);
  for (std::size_t j = 0; j < x.size(); ++j) size += sizes.col_max[j] * static_cast<double>(std::abs(x[j]));
  for (std::size_t j = 0; j < gradient.size() && is_root; ++j)
    if (const double beside = sizes.col_sum[j]; beside > 0 && size > 0)
      result.gradient = Larger()(result.gradient, static_cast<double>(std::abs(gradient[j])) / beside / size);
  return comm::collective::broadcast(rank, 0, result);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                 \
  template Optimality optimality(comm::Rank&, const dist::DistributedMatrix<T>&, ColumnSource<T>, \
                                 const EntrySizes&, std::span<const T>, std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
