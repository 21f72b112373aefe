#include "dense/check/residual.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace overlapack::dense {
namespace {

/// The global indices of a process's `count` entries, in order.
std::vector<Index> indices(const dist::BlockCyclic& dimension, int process, Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  for (std::size_t l = 0; l < all.size(); ++l)
    all[l] = dimension.global({static_cast<Index>(l)}, process).value;
  return all;
}

/// A matrix that owns its memory.
template <class T>
struct Columns {
  Columns(Index rows, Index cols)
      : value(static_cast<std::size_t>(rows * cols)), view{value.data(), rows, cols, rows} {}
  std::vector<T> value;
  MatrixView<T> view;
};

/// X(rows, :)
template <class T>
Columns<T> gathered(MatrixView<const T> X, const std::vector<Index>& rows) {
  Columns<T> part(static_cast<Index>(rows.size()), X.cols);
  for (Index k = 0; k < X.cols; ++k)
    std::ranges::transform(rows, part.view.column(k), [&](Index i) { return X(i, k); });
  return part;
}

/// S(rows, :) <- part, summed over the ranks, then added to Y on rank 0.
template <class S>
void add_on_root(comm::Rank& rank, MatrixView<S> part, const std::vector<Index>& rows, Index m,
                 MatrixView<S> Y) {
  Columns<S> sum(m, part.cols);
  for (Index k = 0; k < part.cols; ++k)
    for (std::size_t l = 0; l < rows.size(); ++l) sum.view(rows[l], k) = part(static_cast<Index>(l), k);
  comm::collective::reduce(rank, 0, std::span<S>(sum.value), std::plus<>());
  if (rank.rank() != 0) return;
  for (Index k = 0; k < Y.cols; ++k)
    std::transform(Y.column(k), Y.column(k) + m, sum.view.column(k), Y.column(k), std::plus<>());
}

}  // namespace

template <class T>
void residual(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
              MatrixView<const T> X, MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) {
  const bool is_plain = op == kernels::Op::none;
  const std::vector<Index> rows = indices(A.rows, A.me.row, A.local.rows);
  const std::vector<Index> cols = indices(A.cols, A.me.col, A.local.cols);
  const Columns<T> x = gathered(X, is_plain ? cols : rows);
  const std::vector<Index>& out = is_plain ? rows : cols;
  Columns<kernels::WideScalar<T>> r(static_cast<Index>(out.size()), X.cols);
  Columns<Real<T>> w(static_cast<Index>(out.size()), X.cols);
  const auto cost = kernels::residual_cost<T>(A.local.rows, A.local.cols, X.cols);
  const MatrixView<const T> all_x = x.view;
  const MatrixView<kernels::WideScalar<T>> my_r = r.view;
  const MatrixView<Real<T>> my_w = w.view;
  rank.compute({"residual", cost.flops, cost.bytes, A.local.rows, A.local.cols, X.cols}, [&] {
    for (Index first = 0; first < A.local.cols; first += A.cols.block) {
      const Index count = std::min(A.cols.block, A.local.cols - first);
      const MatrixView<const T> part = columns(first, count);
      if (is_plain)
        kernels::dense_residual<T>(op, part, all_x.block(first, 0, count, X.cols), my_r, my_w);
      else
        kernels::dense_residual<T>(op, part, all_x, my_r.block(first, 0, count, X.cols),
                                   my_w.block(first, 0, count, X.cols));
    }
  });
  const Index m = is_plain ? A.m() : A.n();
  add_on_root<kernels::WideScalar<T>>(rank, r.view, out, m, R);
  add_on_root<Real<T>>(rank, w.view, out, m, W);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template void residual(comm::Rank&, kernels::Op, const dist::DistributedMatrix<T>&, ColumnSource<T>, \
                         MatrixView<const T>, MatrixView<kernels::WideScalar<T>>, MatrixView<Real<T>>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
