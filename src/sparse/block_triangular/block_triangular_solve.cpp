#include "base/instantiate.hpp"
#include "sparse/block_triangular/block_triangular.hpp"

#include <algorithm>

namespace overlapack::sparse::block_triangular {

template <class T>
void BlockTriangular<T>::solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) {
  const bool is_root = rank.rank() == 0, is_symmetric = is_root && factors_.is_symmetric();
  // a symmetric A is its own transpose; the transpose of a Hermitian A is conj(A)
  const bool is_transposed = op != kernels::Op::none && !is_symmetric;
  const bool is_conjugated =
      is_symmetric && factors_.is_hermitian ? op == kernels::Op::trans : op == kernels::Op::conj_trans;
  const auto from = (is_transposed ? unknown_ : equation_).conjugated(is_conjugated),
             to = (is_transposed ? equation_ : unknown_).conjugated(is_conjugated);
  const Index n = is_root ? factors_.columns() : 0;
  std::vector<T> work;  // by rows
  for (Index first = 0; first < nrhs; first += rhs_block_) {
    const Index width = std::min(rhs_block_, nrhs - first);
    work.resize(static_cast<std::size_t>(n * width));
    for (Index k = 0; k < n; ++k)
      for (Index c = 0; c < width; ++c) work[k * width + c] = from.value(b + (first + c) * n, k);
    solve_vectors(rank, is_transposed, work.data(), width);
    for (Index k = 0; k < n; ++k)
      for (Index c = 0; c < width; ++c) to.set(x + (first + c) * n, k, work[k * width + c]);
  }
}

/// Solves with the diagonal blocks from the last to the first (transposed: from the first to the last). The
/// other ranks take part in blocks that have inner factors.
template <class T>
void BlockTriangular<T>::solve_vectors(comm::Rank& rank, bool is_transposed, T* x, Index width) {
  const bool is_root = rank.rank() == 0;
  const auto count = static_cast<Index>(inner_.size());
  Index done = is_transposed ? 0 : factors_.blocks();  // rank 0: border between solved blocks and others
  for (Index k = 0; k < count; ++k) {
    const auto which = static_cast<std::size_t>(is_transposed ? k : count - 1 - k);
    if (is_root) {
      const Index block = front_block_[which];
      if (is_transposed)
        solve_columns(rank, true, done, block + 1, x, width);
      else
        solve_columns(rank, false, block + 1, done, x, width);
      done = is_transposed ? block + 1 : block;
    }
    solve_inner(rank, is_transposed, which, x, width);
    if (is_root && !is_transposed) solve_block(factors_, done, x, width);
  }
  if (!is_root) return;
  if (is_transposed)
    solve_columns(rank, true, done, factors_.blocks(), x, width);
  else
    solve_columns(rank, false, 0, done, x, width);
}

template <class T>
void BlockTriangular<T>::solve_columns(comm::Rank& rank, bool is_transposed, Index first, Index end, T* x,
                                       Index width) {
  if (first >= end) return;
  const Index from = factors_.block_start[first], to = factors_.block_start[end];
  const auto held = static_cast<double>(factors_.lower.start[to] - factors_.lower.start[from] +
                                        factors_.upper.start[to] - factors_.upper.start[from] + to - from);
  rank.compute({.kind = "solve",
                .flops = 2 * held * static_cast<double>(width),
                .bytes = held * static_cast<double>(sizeof(T) + sizeof(Node))},
               [&] {
                 if (is_transposed)
                   for (Index b = first; b < end; ++b) solve_block_transposed(factors_, b, x, width);
                 else
                   for (Index b = end - 1; b >= first; --b) solve_block(factors_, b, x, width);
               });
}

/// Solves with a block that has inner factors, in its rows of x.
template <class T>
void BlockTriangular<T>::solve_inner(comm::Rank& rank, bool is_transposed, std::size_t which, T* x,
                                     Index width) {
  std::vector<T> columns;
  Index first = 0, n = 0;
  if (rank.rank() == 0) {
    first = factors_.block_start[front_block_[which]];
    n = factors_.block_start[front_block_[which] + 1] - first;
    columns.resize(static_cast<std::size_t>(n * width));
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < width; ++c) columns[i + c * n] = x[(first + i) * width + c];
  }
  inner_[which]->solve(rank, is_transposed ? kernels::Op::trans : kernels::Op::none, columns.data(),
                       columns.data(), width);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < width; ++c) x[(first + i) * width + c] = columns[i + c * n];
}

template <class T>
void BlockTriangular<T>::null_space(comm::Rank&, kernels::Op, T*) {
  throw Error(
      Status::bad_plan,
      "the block triangular form finds no null space, since the rank of a matrix is not that of its diagonal "
      "blocks; factorise with null_pivots and method multifrontal");
}

#define OVERLAPACK_INSTANTIATE(T)                                                         \
  template void BlockTriangular<T>::solve(comm::Rank&, kernels::Op, const T*, T*, Index); \
  template void BlockTriangular<T>::null_space(comm::Rank&, kernels::Op, T*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
