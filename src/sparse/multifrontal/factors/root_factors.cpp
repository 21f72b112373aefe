#include "sparse/multifrontal/factors/root_factors.hpp"

#include "base/instantiate.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"

#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// Receives as in the walk over the tree.
comm::InboxOptions inbox_of(const dist::WalkPlan& walk) {
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
Index RootFactors<T>::factorize(comm::Rank& rank, FactorKind kind, const dist::WalkPlan& walk,
                                std::function<void(double)> on_progress) {
  if (kind == FactorKind::cholesky)
    return dense::cholesky_factor(rank, matrix(),
                                  {.inbox = inbox_of(walk), .on_progress = std::move(on_progress)})
        .info;
  pivots_.resize(static_cast<std::size_t>(order()));
  return dense::lu_factor(rank, matrix(), std::span<Index>(pivots_),
                          {.inbox = inbox_of(walk), .on_progress = std::move(on_progress)})
      .info;
}

template <class T>
void RootFactors<T>::solve(comm::Rank& rank, FactorKind kind, kernels::Op op, const dist::WalkPlan& walk,
                           MatrixView<T> X) const {
  if (kind == FactorKind::cholesky)
    return dense::cholesky_solve(rank, matrix(), X, {.inbox = inbox_of(walk)});
  dense::lu_solve(rank, op, matrix(), std::span<const Index>(pivots_), X, {.inbox = inbox_of(walk)});
}

OVERLAPACK_INSTANTIATE_CLASS(RootFactors);

}  // namespace overlapack::sparse::multifrontal
