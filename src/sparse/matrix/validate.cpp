#include "sparse/matrix/validate.hpp"

#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace overlapack::sparse {
namespace {

[[noreturn]] void refuse_matrix(const std::string& message) { throw Error(Status::bad_input, message); }

template <class T>
void check_shape(const SparseMatrix<T>& A) {
  if (A.rows < 0 || A.cols < 0)
    refuse_matrix("the matrix has " + std::to_string(A.rows) + " rows and " + std::to_string(A.cols) +
                  " columns; sizes must not be negative");
  if (static_cast<Index>(A.start.size()) - 1 != A.cols)
    refuse_matrix("the matrix has " + std::to_string(A.cols) + " columns but " +
                  std::to_string(A.start.size()) + " column offsets; give one more offset than columns");
  if (A.row.size() != A.value.size())
    refuse_matrix("the matrix has " + std::to_string(A.row.size()) + " row indices but " +
                  std::to_string(A.value.size()) + " values; give one index a value");
}

template <class T>
void check_offsets(const SparseMatrix<T>& A) {
  if (A.start[0] != 0)
    refuse_matrix("the first column offset is " + std::to_string(A.start[0]) + "; offsets must start at 0");
  for (Index j = 0; j < A.cols; ++j)
    if (A.start[j + 1] < A.start[j])
      refuse_matrix("the column offsets decrease after column " + std::to_string(j) + "; they must ascend");
  if (A.start[A.cols] != A.nnz())
    refuse_matrix("the last column offset is " + std::to_string(A.start[A.cols]) + " but there are " +
                  std::to_string(A.nnz()) + " entries; the two must be equal");
}

/// The first of entries begin, ..., end - 1 that no matrix may have, or end.
template <class T>
Index first_at_fault(const SparseMatrix<T>& A, Index begin, Index end) {
  for (Index p = begin; p < end; ++p)
    if (A.row[p] < 0 || A.row[p] >= A.rows || !is_finite(A.value[p])) return p;
  return end;
}

template <class T>
[[noreturn]] void refuse_at(const SparseMatrix<T>& A, Index p) {
  const Index j = std::upper_bound(A.start.begin(), A.start.end(), p) - A.start.begin() - 1;
  if (A.row[p] < 0 || A.row[p] >= A.rows)
    refuse_matrix("column " + std::to_string(j) + " holds row index " + std::to_string(A.row[p]) +
                  " in a matrix of " + std::to_string(A.rows) + " rows; indices count from 0");
  refuse_matrix("the entry at row " + std::to_string(A.row[p]) + ", column " + std::to_string(j) +
                " (counted from 0) is not a finite number; replace it before solving");
}

}  // namespace

template <class T>
void validate(const SparseMatrix<T>& A, comm::Tasks& tasks) {
  constexpr Index entries_a_task = 1 << 17;
  check_shape(A);
  check_offsets(A);
  const auto first_of = [&](Index begin, Index end) {
    const Index first = first_at_fault(A, begin, end);
    return first < end ? first : A.nnz();
  };
  const auto found = tasks.of_ranges(A.nnz(), first_of, entries_a_task);
  for (const Index first : found)
    if (first < A.nnz()) refuse_at(A, first);
}

template <class T>
void validate(const SparseMatrix<T>& A) {
  comm::Tasks tasks(1);
  validate(A, tasks);
}

template <class T>
bool are_finite(std::span<const T> values) {
  bool all = true;
  for (const T& x : values) all &= is_finite(x);
  return all;
}

void require_square(Index rows, Index cols) {
  if (rows != cols)
    refuse_matrix(
        "the matrix has " + std::to_string(rows) + " rows and " + std::to_string(cols) +
        " columns; a solve needs a square matrix; for least squares there is dense QR (Python: lstsq)");
  if (rows == 0) refuse_matrix("the matrix is empty (0 x 0); give at least one equation");
}

Index checked_product(Index a, Index b, const char* what) {
  Index c;
  if (__builtin_mul_overflow(a, b, &c)) refuse_matrix(std::string(what) + " does not fit a 64-bit count");
  return c;
}

Index checked_sum(Index a, Index b, const char* what) {
  Index c;
  if (__builtin_add_overflow(a, b, &c)) refuse_matrix(std::string(what) + " does not fit a 64-bit count");
  return c;
}

#define OVERLAPACK_INSTANTIATE(T)                               \
  template void validate(const SparseMatrix<T>&, comm::Tasks&); \
  template void validate(const SparseMatrix<T>&);               \
  template bool are_finite(std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
