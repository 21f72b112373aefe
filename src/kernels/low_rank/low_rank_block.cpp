#include "kernels/low_rank/low_rank_block.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace overlapack::kernels {
namespace {

/// Copies the columns without gaps to `to`, converted to type U; returns the position behind them.
template <class U, class T>
U* append(MatrixView<const T> from, U* to) {
  for (Index j = 0; j < from.cols; ++j)
    for (Index i = 0; i < from.rows; ++i) *to++ = static_cast<U>(from(i, j));
  return to;
}

/// View of a rows x cols matrix without gaps between its columns.
template <class T>
MatrixView<T> view_without_gaps(T* numbers, Index rows, Index cols) {
  return {numbers, rows, cols, std::max<Index>(rows, 1)};
}

template <class T>
double column_norm(MatrixView<const T> A, Index j) {
  double sum = 0;
  for (Index i = 0; i < A.rows; ++i) sum += std::norm(std::complex<double>(A(i, j)));
  return std::sqrt(sum);
}

}  // namespace

template <class T>
Index count_terms_for_single(const LowRank<T>& product, double limit) {
  constexpr double rounding = std::numeric_limits<float>::epsilon();  // 2^-24 of x_i, and as much of v_i
  constexpr double least = 1e-30, most = 1e30;                        // well within single precision's range
  if (std::is_same_v<T, Single<T>> || product.is_full || !(limit >= least && limit <= most)) return 0;
  double moved = 0;
  Index terms = 0;
  for (Index i = product.X.cols - 1; i >= 0; --i, ++terms) {
    moved += rounding * column_norm(product.X, i);
    if (!(moved <= limit)) break;
  }
  return terms;
}

template <class T>
LowRank<T> rounded_to_single(const LowRank<T>& product, Index terms, std::vector<Single<T>>& room) {
  const Index m = product.rows(), n = product.cols(), r = product.X.cols - terms;
  room.resize(static_cast<std::size_t>((m + n) * terms));
  Single<T>* const V = append(product.X.block(0, r, m, terms), room.data());
  append(product.V.block(r, 0, terms, n), V);
  return {product.X.block(0, 0, m, r), product.V.block(0, 0, r, n), false,
          view_without_gaps<const Single<T>>(room.data(), m, terms),
          view_without_gaps<const Single<T>>(V, terms, n)};
}

template <class T>
LowRank<T> widened_to_own_precision(const LowRank<T>& block, std::vector<T>& room) {
  if (block.X_single.cols == 0) return block;
  const Index m = block.rows(), n = block.cols(), r = block.rank();
  const auto count = static_cast<std::size_t>((m + n) * r);
  if (room.size() < count) room.resize(count);
  T* const V = append(block.X_single, append(block.X, room.data()));
  T* to = V;
  for (Index j = 0; j < n; ++j)
    to = append(block.V_single.block(0, j, block.V_single.rows, 1),
                append(block.V.block(0, j, block.V.rows, 1), to));
  return {view_without_gaps<const T>(room.data(), m, r), view_without_gaps<const T>(V, r, n), false};
}

template <class T>
std::size_t stored_bytes(const StoredShape& shape) {
  const Index m = shape.rows, n = shape.cols;
  if (shape.rank < 0) return static_cast<std::size_t>(m * n) * sizeof(T);
  const std::size_t single = static_cast<std::size_t>((m + n) * shape.single) * sizeof(Single<T>);
  return static_cast<std::size_t>((m + n) * (shape.rank - shape.single)) * sizeof(T) +
         (single + sizeof(T) - 1) / sizeof(T) * sizeof(T);
}

template <class T>
void store(const LowRank<T>& block, std::byte* to) {
  T* const numbers = append(block.X, reinterpret_cast<T*>(to));
  if (block.is_full) return;
  auto* const single = reinterpret_cast<Single<T>*>(append(block.V, numbers));
  append(block.V_single, append(block.X_single, single));
}

template <class T>
LowRank<T> stored_block(const std::byte* stored, const StoredShape& shape) {
  const Index m = shape.rows, n = shape.cols, r = shape.rank - shape.single;
  const auto* const X = reinterpret_cast<const T*>(stored);
  if (shape.rank < 0) return full_block<T>(view_without_gaps(X, m, n));
  const auto* const X_single = reinterpret_cast<const Single<T>*>(X + (m + n) * r);
  return {view_without_gaps(X, m, r), view_without_gaps(X + m * r, r, n), false,
          view_without_gaps(X_single, m, shape.single),
          view_without_gaps(X_single + m * shape.single, shape.single, n)};
}

#define OVERLAPACK_INSTANTIATE(T)                                                           \
  template Index count_terms_for_single(const LowRank<T>&, double);                         \
  template LowRank<T> rounded_to_single(const LowRank<T>&, Index, std::vector<Single<T>>&); \
  template LowRank<T> widened_to_own_precision(const LowRank<T>&, std::vector<T>&);         \
  template std::size_t stored_bytes<T>(const StoredShape&);                                 \
  template void store(const LowRank<T>&, std::byte*);                                       \
  template LowRank<T> stored_block<T>(const std::byte*, const StoredShape&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
