#include "sparse/rows/slab_products.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/sparse/sparse_residual.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <utility>

namespace overlapack::sparse {

namespace {

/// Rows [first, last) of some columns of length n.
template <class V>
std::vector<V> rows_of(std::span<const V> columns, Index n, Index first, Index last) {
  std::vector<V> part;
  for (std::size_t at = 0; at < columns.size(); at += static_cast<std::size_t>(n))
    part.insert(part.end(), columns.begin() + static_cast<std::ptrdiff_t>(at) + first,
                columns.begin() + static_cast<std::ptrdiff_t>(at) + last);
  return part;
}

/// Collective: gathers the rows of all ranks, of some columns, on rank 0.
template <class V>
std::vector<V> gathered_on_root(comm::Rank& rank, const std::vector<Index>& bounds, std::vector<V> mine,
                                Index columns) {
  const std::vector<comm::Body> parts = comm::collective::gather(rank, 0, comm::Body::adopt(std::move(mine)));
  const Index n = bounds.back();
  std::vector<V> all(rank.rank() == 0 ? static_cast<std::size_t>(n * columns) : 0);
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const V* from = parts[r].template as<V>().data();
    const Index count = bounds[r + 1] - bounds[r];
    for (Index j = 0; j < columns; ++j, from += count)
      std::copy_n(from, count, all.begin() + j * n + bounds[r]);
  }
  return all;
}

}  // namespace

template <class T>
SlabResiduals<T> residuals(comm::Rank& rank, const RowSlab<T>& A, std::span<const T> b, std::span<const T> x,
                           Index columns) {
  using comm::Body;
  const Index n = A.rows.cols;
  std::vector<Body> parts;
  if (rank.rank() == 0)
    for (std::size_t r = 0; r + 1 < A.bounds.size(); ++r)
      parts.push_back(Body::adopt(rows_of(b, n, A.bounds[r], A.bounds[r + 1])));
  const Body my_b = comm::collective::scatter(rank, 0, std::move(parts));
  const Body all_x = comm::collective::broadcast(rank, 0, rank.rank() == 0 ? Body::copy_of(x) : Body());
  const auto m = static_cast<std::size_t>(A.rows.rows);
  SlabResiduals<T> mine{std::vector<T>(m * static_cast<std::size_t>(columns)),
                        std::vector<Real<T>>(m * static_cast<std::size_t>(columns))};
  std::vector<kernels::ResidualColumn<T>> all;
  for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j)
    all.push_back({my_b.as<T>().subspan(j * m, m),
                   all_x.as<T>().subspan(j * static_cast<std::size_t>(n), static_cast<std::size_t>(n)),
                   std::span<T>(mine.r).subspan(j * m, m),
                   std::span<Real<T>>(mine.weight).subspan(j * m, m)});
  kernels::residuals<T>(A.rows, all);
  std::vector<T> r = gathered_on_root(rank, A.bounds, std::move(mine.r), columns);
  return {std::move(r), gathered_on_root(rank, A.bounds, std::move(mine.weight), columns)};
}

template <class T>
std::vector<double> gather_rows(comm::Rank& rank, const RowSlab<T>& A, std::vector<double> of_mine) {
  return gathered_on_root(rank, A.bounds, std::move(of_mine), 1);
}

template <class T>
double one_norm(comm::Rank& rank, const RowSlab<T>& A, double unit) {
  std::vector<double> sum(static_cast<std::size_t>(A.rows.cols));
  for (Index j = 0; j < A.rows.cols; ++j)
    for (Index k = A.rows.start[j]; k < A.rows.start[j + 1]; ++k)
      sum[static_cast<std::size_t>(j)] += std::abs(A.rows.value[k]) / unit;
  comm::collective::all_reduce(rank, std::span<double>(sum), std::plus<>());
  return sum.empty() ? 0 : *std::ranges::max_element(sum);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template SlabResiduals<T> residuals(comm::Rank&, const RowSlab<T>&, std::span<const T>,        \
                                      std::span<const T>, Index);                                \
  template std::vector<double> gather_rows(comm::Rank&, const RowSlab<T>&, std::vector<double>); \
  template double one_norm(comm::Rank&, const RowSlab<T>&, double);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
