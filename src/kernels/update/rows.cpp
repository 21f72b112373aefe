#include "kernels/update/rows.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/sizes.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::kernels {
namespace {

/// Copy the entries rows[k] of column j to `to`, and prefetch those of a later column: each entry is in a cache line of its own,
/// which no hardware prefetcher can guess.
template <class T>
void gather(MatrixView<const T> A, Index j, std::span<const Index> rows, T* to) {
  constexpr Index ahead = sizes::rows_ahead;
  const T *column = A.column(j), *later = A.column(std::min(j + ahead, A.cols - 1));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    to[k] = column[rows[k]];
    __builtin_prefetch(later + rows[k], 1);
  }
}

template <class T>
void scatter(const T* from, std::span<const Index> rows, T* column) {
  for (std::size_t k = 0; k < rows.size(); ++k) column[rows[k]] = from[k];
}

}  // namespace

template <class T>
void gather_rows(ConstView<T> A, std::span<const Index> rows, MatrixView<T> B) {
  for (Index j = 0; j < B.cols; ++j) gather(A, j, rows, B.column(j));
}

template <class T>
void scatter_rows(ConstView<T> B, std::span<const Index> rows, MatrixView<T> A) {
  for (Index j = 0; j < A.cols; ++j) scatter(B.column(j), rows, A.column(j));
}

template <class T>
void move_rows(std::span<const Index> to, std::span<const Index> from, MatrixView<T> A) {
  std::vector<T> moving(from.size());
  for (Index j = 0; j < A.cols; ++j) {
    gather<T>(A, j, from, moving.data());
    scatter<T>(moving.data(), to, A.column(j));
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                            \
  template void gather_rows<T>(MatrixView<const T>, std::span<const Index>, MatrixView<T>);  \
  template void scatter_rows<T>(MatrixView<const T>, std::span<const Index>, MatrixView<T>); \
  template void move_rows<T>(std::span<const Index>, std::span<const Index>, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
