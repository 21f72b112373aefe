#include "sparse/matrix/canonical.hpp"

#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>

namespace overlapack::sparse {
namespace {

template <class T>
bool has_ascending_columns(const SparseMatrix<T>& A) {
  for (Index j = 0; j < A.cols; ++j)
    if (!std::is_sorted(A.row.begin() + A.start[j], A.row.begin() + A.start[j + 1])) return false;
  return true;
}

/// Replace equal neighbours in a sorted column by their sum.
template <class T>
Index sum_neighbours(SparseMatrix<T>& A) {
  Index write = 0, begin = 0;
  for (Index j = 0; j < A.cols; ++j) {
    const Index end = A.start[j + 1], column = write;
    for (Index p = begin; p < end; ++p) {
      if (write > column && A.row[write - 1] == A.row[p]) {
        A.value[write - 1] += A.value[p];
      } else {
        A.row[write] = A.row[p];
        A.value[write++] = A.value[p];
      }
    }
    begin = end;
    A.start[j + 1] = write;
  }
  const Index summed = A.nnz() - write;
  A.row.resize(write);
  A.value.resize(write);
  return summed;
}

template <class T>
bool are_canonical(const SparseMatrix<T>& A, Index first, Index end) {
  for (Index j = first; j < end; ++j)
    for (Index p = A.start[j] + 1; p < A.start[j + 1]; ++p)
      if (A.row[p - 1] >= A.row[p]) return false;
  return true;
}

}  // namespace

template <class T>
bool is_canonical(const SparseMatrix<T>& A) {
  return are_canonical(A, 0, A.cols);
}

template <class T>
Index make_canonical(SparseMatrix<T>& A) {
  comm::Tasks tasks(1);
  return make_canonical(A, tasks);
}

template <class T>
Index make_canonical(SparseMatrix<T>& A, comm::Tasks& tasks) {
  const auto are_done = tasks.of_ranges(
      A.cols, [&](Index first, Index end) -> char { return are_canonical(A, first, end) ? 1 : 0; });
  if (std::ranges::find(are_done, 0) == are_done.end()) return 0;
  // Two transpositions are a stable sort by row (Gustavson 1978): linear, and duplicates keep their order.
  if (!has_ascending_columns(A)) {
    const Symmetry symmetry = A.symmetry;
    A = transpose(transpose(A));
    A.symmetry = symmetry;
  }
  return sum_neighbours(A);
}

#define OVERLAPACK_INSTANTIATE(T)                                \
  template bool is_canonical(const SparseMatrix<T>&);            \
  template Index make_canonical(SparseMatrix<T>&, comm::Tasks&); \
  template Index make_canonical(SparseMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
