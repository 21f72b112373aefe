#include "kernels/update/swap.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::kernels {

template <class T>
void swap_rows(MatrixView<T> X, Index a, Index b) {
  if (a == b) return;
  for (Index j = 0; j < X.cols; ++j) std::swap(X(a, j), X(b, j));
}

template <class T>
void swap_columns(MatrixView<T> X, Index a, Index b) {
  if (a != b) std::swap_ranges(X.column(a), X.column(a) + X.rows, X.column(b));
}

template <class T>
void permute_columns(MatrixView<T> X, std::span<std::int32_t> order, std::span<Scalar<T>> workspace) {
  for (Index first = 0; first < X.cols; ++first) {
    if (order[first] < 0 || order[first] == first) continue;
    // The cycle first <- order[first] <- ...; columns done are marked by the complement of their order.
    std::copy_n(X.column(first), X.rows, workspace.data());
    Index to = first;
    for (Index from = order[to]; from != first; from = order[to]) {
      std::copy_n(X.column(from), X.rows, X.column(to));
      order[to] = ~order[to];
      to = from;
    }
    std::copy_n(workspace.data(), X.rows, X.column(to));
    order[to] = ~order[to];
  }
  for (std::int32_t& from : order)
    if (from < 0) from = ~from;
}

template <class T>
void permute_rows(MatrixView<T> X, std::span<const std::int32_t> order, std::span<Scalar<T>> workspace) {
  for (Index j = 0; j < X.cols; ++j) {
    T* x = X.column(j);
    std::copy_n(x, X.rows, workspace.data());
    for (Index i = 0; i < X.rows; ++i) x[i] = workspace[order[i]];
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                         \
  template void swap_rows<T>(MatrixView<T>, Index, Index);                                \
  template void swap_columns<T>(MatrixView<T>, Index, Index);                             \
  template void permute_columns<T>(MatrixView<T>, std::span<std::int32_t>, std::span<T>); \
  template void permute_rows<T>(MatrixView<T>, std::span<const std::int32_t>, std::span<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
