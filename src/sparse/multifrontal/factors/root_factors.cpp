#include "sparse/multifrontal/factors/root_factors.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/exchange.hpp"
#include "comm/values.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"
#include "dist/moves/messages/transpose.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// The dense factorisation and solve receive messages as the walk over the tree does.
comm::InboxOptions inbox_options_of(const dist::WalkPlan& walk) {
  return {.posted = walk.posted, .receive = walk.receive};
}

}  // namespace

template <class T>
RootFactors<T>::RootFactors(int ranks, int rank, Index order, Index block)
    : grid_(std::make_unique<dist::ProcessGrid>(dist::squarest_grid(ranks, dist::GridOrder::row_major))) {
  const dist::BlockCyclic rows{order, block, grid_->rows(), 0}, cols{order, block, grid_->cols(), 0};
  matrix_ = dist::OwnedMatrix<T>(*grid_, rank, rows, cols);
}

template <class T>
void RootFactors<T>::mirror_lower(comm::Rank& rank, bool is_hermitian, const dist::WalkPlan& walk) {
  const dist::DistributedMatrix<T>& A = matrix();
  const dist::OwnedMatrix<T> upper(*grid_, rank.rank(), A.rows, A.cols, dist::Content::unset);
  comm::Exchange exchange(rank, comm::Lane::bulk, inbox_options_of(walk));
  dist::transpose(exchange, A, upper.view(), {MessageKind::mirrored_root});
  exchange.close();
  comm::run_unless_phantom(rank, [&] {
    for (Index j = 0; j < A.local.cols; ++j) {
      const Index diagonal = A.first_row(A.cols.global({j}, A.me.col));
      for (Index i = 0; i < diagonal; ++i) {
        const T mirrored = upper.view().local(i, j);
        A.local(i, j) = is_hermitian ? conjugate(mirrored) : mirrored;
      }
    }
  });
  comm::collective::barrier(rank);
}

template <class T>
Index RootFactors<T>::factorize(comm::Rank& rank, FactorKind kind, const dist::WalkPlan& walk,
                                std::function<void(double)> on_progress) {
  if (kind == FactorKind::cholesky)
    return dense::cholesky_factor(rank, matrix(),
                                  {.inbox = inbox_options_of(walk), .on_progress = std::move(on_progress)})
        .info;
  pivots_.resize(static_cast<std::size_t>(order()));
  return dense::lu_factor(rank, matrix(), std::span<Index>(pivots_),
                          {.inbox = inbox_options_of(walk), .on_progress = std::move(on_progress)})
      .info;
}

template <class T>
void RootFactors<T>::solve(comm::Rank& rank, FactorKind kind, kernels::Op op, const dist::WalkPlan& walk,
                           MatrixView<T> X) const {
  if (kind == FactorKind::cholesky)
    return dense::cholesky_solve(rank, matrix(), X, {.inbox = inbox_options_of(walk)});
  dense::lu_solve(rank, op, matrix(), std::span<const Index>(pivots_), X, {.inbox = inbox_options_of(walk)});
}

template <class T>
void RootFactors<T>::pack(Packing& packing) const {
  const dist::GridPosition me = matrix().me;
  packing.add_value(grid_->size());
  packing.add_value(grid_->rank_at(me.row, me.col));
  packing.add_value(order());
  packing.add_value(matrix().rows.block);
  packing.add(std::span<const T>(numbers()));
  packing.add(pivots_);
}

template <class T>
RootFactors<T> RootFactors<T>::unpacked(Unpacking& unpacking) {
  const int ranks = unpacking.next_value<int>(), rank = unpacking.next_value<int>();
  const auto order = unpacking.next_value<Index>(), block = unpacking.next_value<Index>();
  RootFactors root(ranks, rank, order, block);
  std::ranges::copy(unpacking.next<T>(), root.numbers().begin());
  unpacking.read_into(root.pivots_);
  return root;
}

OVERLAPACK_INSTANTIATE_CLASS(RootFactors);

}  // namespace overlapack::sparse::multifrontal
