#include "sparse/matrix/triplets.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/canonical.hpp"

namespace overlapack::sparse {
namespace {

template <class T>
void check(const Triplets<T>& entries) {
  if (entries.rows < 0 || entries.cols < 0)
    throw Error(Status::bad_input, "a matrix needs non-negative numbers of rows and columns");
  if (entries.row.size() != entries.col.size() || entries.row.size() != entries.value.size())
    throw Error(Status::bad_input, "the lists of rows (" + std::to_string(entries.row.size()) +
                                       "), columns (" + std::to_string(entries.col.size()) +
                                       ") and values (" + std::to_string(entries.value.size()) +
                                       ") differ in length; give one of each an entry");
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const Index i = entries.row[k], j = entries.col[k];
    if (i < 0 || i >= entries.rows || j < 0 || j >= entries.cols)
      throw Error(Status::bad_input, "entry " + std::to_string(k) + " is at (" + std::to_string(i) + ", " +
                                         std::to_string(j) + "), outside a matrix of " +
                                         std::to_string(entries.rows) + " x " + std::to_string(entries.cols) +
                                         "; indices count from 0");
  }
}

}  // namespace

template <class T>
Summed<T> compress(const Triplets<T>& entries) {
  check(entries);
  // A counting sort by column keeps the order of the list inside a column, so duplicates are summed in it.
  SparseMatrix<T> A;
  A.rows = entries.rows;
  A.cols = entries.cols;
  A.start.assign(entries.cols + 1, 0);
  for (Index j : entries.col) ++A.start[j + 1];
  for (Index j = 0; j < A.cols; ++j) A.start[j + 1] += A.start[j];
  std::vector<Index> next(A.start.begin(), A.start.end() - 1);
  A.row.resize(entries.row.size());
  A.value.resize(entries.row.size());
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const Index p = next[entries.col[k]]++;
    A.row[p] = entries.row[k];
    A.value[p] = entries.value[k];
  }
  Summed<T> result;
  result.duplicates_summed = make_canonical(A);
  result.matrix = std::move(A);
  return result;
}

#define OVERLAPACK_INSTANTIATE(T) template Summed<T> compress(const Triplets<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
