#include "sparse/matrix/transpose.hpp"

#include "base/instantiate.hpp"
namespace overlapack::sparse {

template <class T>
SparseMatrix<T> transpose(const SparseMatrix<T>& A) {
  SparseMatrix<T> B;
  B.rows = A.cols;
  B.cols = A.rows;
  B.symmetry = A.symmetry;
  B.start.assign(A.rows + 1, 0);
  B.row.resize(A.row.size());
  B.value.resize(A.row.size());
  for (Index i : A.row) ++B.start[i + 1];
  for (Index i = 0; i < A.rows; ++i) B.start[i + 1] += B.start[i];
  std::vector<Index> next(B.start.begin(), B.start.end() - 1);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const Index q = next[A.row[p]]++;
      B.row[q] = j;
      B.value[q] = A.value[p];
    }
  return B;
}

template <class T>
SparseMatrix<T> conjugate_transpose(const SparseMatrix<T>& A) {
  SparseMatrix<T> B = transpose(A);
  for (T& x : B.value) x = conjugate(x);
  return B;
}

#define OVERLAPACK_INSTANTIATE(T)                             \
  template SparseMatrix<T> transpose(const SparseMatrix<T>&); \
  template SparseMatrix<T> conjugate_transpose(const SparseMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
