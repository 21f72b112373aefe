#include "sparse/matrix/mirror.hpp"

#include "base/instantiate.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>

namespace overlapack::sparse {

template <class T>
SparseMatrix<T> mirror_triangle(const SparseMatrix<T>& L, Symmetry symmetry) {
  const SparseMatrix<T> U = transpose(L);
  SparseMatrix<T> A;
  A.rows = L.rows;
  A.cols = L.cols;
  A.symmetry = symmetry;
  A.start.resize(L.cols + 1);
  A.row.reserve(2 * L.row.size());
  A.value.reserve(2 * L.row.size());
  // Column j of A merges column j of L and column j of U; these share the diagonal only.
  for (Index j = 0; j < L.cols; ++j) {
    Index p = L.start[j], q = U.start[j];
    const Index p_end = L.start[j + 1], q_end = U.start[j + 1];
    while (p < p_end || q < q_end) {
      const Index i = p < p_end ? L.row[p] : L.rows;
      const Index k = q < q_end ? U.row[q] : L.rows;
      A.row.push_back(std::min(i, k));
      A.value.push_back(i <= k ? L.value[p] : counterpart(U.value[q], symmetry));
      p += i <= k;
      q += k <= i;
    }
    A.start[j + 1] = A.nnz();
  }
  return A;
}

#define OVERLAPACK_INSTANTIATE(T) template SparseMatrix<T> mirror_triangle(const SparseMatrix<T>&, Symmetry);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
