#include "kernels/rows.hpp"

#include <vector>

namespace overlapack::kernels {
namespace {

template <class T>
void gather(const T* column, std::span<const Index> rows, T* to) {
  for (std::size_t k = 0; k < rows.size(); ++k) to[k] = column[rows[k]];
}

template <class T>
void scatter(const T* from, std::span<const Index> rows, T* column) {
  for (std::size_t k = 0; k < rows.size(); ++k) column[rows[k]] = from[k];
}

}  // namespace

template <class T>
void gather_rows(ConstView<T> A, std::span<const Index> rows, MatrixView<T> B) {
  for (Index j = 0; j < B.cols; ++j) gather(A.column(j), rows, B.column(j));
}

template <class T>
void scatter_rows(ConstView<T> B, std::span<const Index> rows, MatrixView<T> A) {
  for (Index j = 0; j < A.cols; ++j) scatter(B.column(j), rows, A.column(j));
}

template <class T>
void move_rows(std::span<const Index> to, std::span<const Index> from, MatrixView<T> A) {
  std::vector<T> moving(from.size());
  for (Index j = 0; j < A.cols; ++j) {
    gather<T>(A.column(j), from, moving.data());
    scatter<T>(moving.data(), to, A.column(j));
  }
}

#define INSTANTIATE(T)                                                                       \
  template void gather_rows<T>(MatrixView<const T>, std::span<const Index>, MatrixView<T>);  \
  template void scatter_rows<T>(MatrixView<const T>, std::span<const Index>, MatrixView<T>); \
  template void move_rows<T>(std::span<const Index>, std::span<const Index>, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
