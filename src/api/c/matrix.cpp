#include "api/c/matrix.hpp"

#include "api/c/solver.hpp"
#include "base/instantiate.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/transpose.hpp"

#include <utility>

namespace overlapack::c {
namespace {

[[noreturn]] void refuse_matrix(const std::string& message) { refuse(Status::bad_input, message); }

std::string line_name(const olp_matrix& A) { return A.layout == OLP_CSR ? "row" : "column"; }
std::string index_name(const olp_matrix& A) { return A.layout == OLP_CSR ? "column" : "row"; }
Index lines_of(const olp_matrix& A) { return A.layout == OLP_CSR ? A.rows : A.cols; }
Index across(const olp_matrix& A) { return A.layout == OLP_CSR ? A.cols : A.rows; }

void check_description(const olp_matrix& A) {
  if (A.layout != OLP_CSC && A.layout != OLP_CSR)
    refuse_matrix("layout is " + std::to_string(A.layout) + "; give OLP_CSC or OLP_CSR");
  if (A.index_bytes != 4 && A.index_bytes != 8)
    refuse_matrix("index_bytes is " + std::to_string(A.index_bytes) + "; give 4 (int32_t) or 8 (int64_t)");
  if (A.base != 0 && A.base != 1)
    refuse_matrix("base is " + std::to_string(A.base) + "; give 0, or 1 as in Fortran");
  if (A.rows < 0 || A.cols < 0)
    refuse_matrix("the matrix has " + std::to_string(A.rows) + " rows and " + std::to_string(A.cols) +
                  " columns; sizes must not be negative");
  symmetry_from(A.half, A.rows, A.cols);
}

/// `count` lines (rows or columns) of A as the columns of a matrix, numbers from 0.
template <class T, class I>
SparseMatrix<T> copied_lines(const olp_matrix& A, Index count) {
  SparseMatrix<T> lines;
  lines.rows = across(A);
  lines.cols = count;
  if (count == 0) return lines;
  const I* const start = static_cast<const I*>(required(A.start, "start"));
  if (start[0] != A.base)
    refuse_matrix("start begins with " + std::to_string(start[0]) + ", but base is " +
                  std::to_string(A.base) + "; the two must be equal");
  lines.start.resize(static_cast<std::size_t>(count) + 1);
  for (Index k = 0; k < count; ++k) {
    if (start[k + 1] < start[k])
      refuse_matrix("start decreases after " + line_name(A) + " " + std::to_string(k + A.base) +
                    "; it must ascend");
    lines.start[k + 1] = Index{start[k + 1]} - A.base;
  }
  const Index entries = lines.start[count];
  if (entries == 0) return lines;
  const I* const index = static_cast<const I*>(required(A.index, "index"));
  const T* const value = static_cast<const T*>(required(A.value, "value"));
  lines.row.resize(static_cast<std::size_t>(entries));
  for (Index k = 0; k < count; ++k)
    for (Index p = lines.start[k]; p < lines.start[k + 1]; ++p) {
      lines.row[p] = Index{index[p]} - A.base;
      if (lines.row[p] < 0 || lines.row[p] >= lines.rows)
        refuse_matrix(line_name(A) + " " + std::to_string(k + A.base) + " has an entry in " + index_name(A) +
                      " " + std::to_string(index[p]) + " of a matrix with " + std::to_string(lines.rows) +
                      "; numbers go from " + std::to_string(A.base));
    }
  lines.value.assign(value, value + entries);
  return lines;
}

template <class T>
SparseMatrix<T> lines_from(const olp_matrix& A, Index count) {
  return A.index_bytes == 4 ? copied_lines<T, std::int32_t>(A, count)
                            : copied_lines<T, std::int64_t>(A, count);
}

}  // namespace

Symmetry symmetry_from(int half, Index rows, Index cols) {
  if (half == OLP_WHOLE) return Symmetry::general;
  if (half != OLP_SYMMETRIC && half != OLP_HERMITIAN)
    refuse_matrix("half is " + std::to_string(half) + "; give OLP_WHOLE, OLP_SYMMETRIC or OLP_HERMITIAN");
  if (rows != cols)
    refuse_matrix("half is set, but the matrix is " + std::to_string(rows) + " x " + std::to_string(cols) +
                  "; only a square matrix is given by one triangle");
  return half == OLP_SYMMETRIC ? Symmetry::symmetric : Symmetry::hermitian;
}

bool is_type_alone(const olp_matrix& A) { return A.rows == 0 && A.cols == 0 && A.start == nullptr; }

template <class T>
SparseMatrix<T> mirrored(SparseMatrix<T> triangle, Symmetry symmetry) {
  sparse::make_canonical(triangle);
  bool has_lower = false, has_upper = false;
  for (Index j = 0; j < triangle.cols; ++j)
    for (Index p = triangle.start[j]; p < triangle.start[j + 1]; ++p) {
      has_lower |= triangle.row[p] > j;
      has_upper |= triangle.row[p] < j;
    }
  if (has_lower && has_upper)
    refuse_matrix(
        "half is set, but there are entries on both sides of the diagonal; give one triangle, or OLP_WHOLE");
  return sparse::mirror_triangle(triangle, symmetry);
}

template <class T>
SparseMatrix<T> whole_matrix(const olp_matrix& A) {
  check_description(A);
  SparseMatrix<T> matrix = lines_from<T>(A, lines_of(A));
  if (A.layout == OLP_CSR) matrix = sparse::transpose(matrix);
  return A.half == OLP_WHOLE ? std::move(matrix)
                             : mirrored(std::move(matrix), symmetry_from(A.half, A.rows, A.cols));
}

template <class T>
Triplets<T> own_lines(const olp_matrix& A) {
  check_description(A);
  const Index all = lines_of(A);
  if (A.first < 0 || A.count < 0 || A.first > all || A.count > all - A.first)
    refuse_matrix("first is " + std::to_string(A.first) + " and count " + std::to_string(A.count) +
                  ", but the matrix has " + std::to_string(all) + " " + line_name(A) + "s");
  const SparseMatrix<T> lines = lines_from<T>(A, A.count);
  Triplets<T> entries{A.rows, A.cols, {}, {}, {}, symmetry_from(A.half, A.rows, A.cols)};
  entries.reserve(lines.nnz() * (A.half == OLP_WHOLE ? 1 : 2));
  for (Index k = 0; k < lines.cols; ++k)
    for (Index p = lines.start[k]; p < lines.start[k + 1]; ++p) {
      Index i = lines.row[p], j = A.first + k;
      if (A.layout == OLP_CSR) std::swap(i, j);
      const T x = lines.value[p];
      entries.add(i, j, x);
      if (A.half != OLP_WHOLE && i != j) entries.add(j, i, A.half == OLP_HERMITIAN ? conjugate(x) : x);
    }
  return entries;
}

template <class T>
void hand_over(SparseMatrix<T> matrix, olp_matrix* to) {
  auto owner = std::make_unique<io::AnySparseMatrix>(std::move(matrix));
  const auto& held = std::get<SparseMatrix<T>>(*owner);
  *to = {};
  to->type = static_cast<int>(ScalarTraits<T>::type);
  to->layout = OLP_CSC;
  to->index_bytes = sizeof(Index);
  to->rows = held.rows;
  to->cols = held.cols;
  to->start = held.start.data();
  to->index = held.row.data();
  to->value = held.value.data();
  to->owner = owner.release();
}

#define OVERLAPACK_INSTANTIATE(T)                               \
  template SparseMatrix<T> whole_matrix(const olp_matrix&);     \
  template SparseMatrix<T> mirrored(SparseMatrix<T>, Symmetry); \
  template Triplets<T> own_lines(const olp_matrix&);            \
  template void hand_over(SparseMatrix<T>, olp_matrix*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_read_matrix(olp_solver* solver, const char* path, olp_matrix* A) {
  return c::call(solver, [&](olp_solver&) {
    c::required(A, "the place for the matrix");
    io::MatrixFile file = io::read_matrix(c::required(path, "the path"));
    std::visit([A](auto& matrix) { c::hand_over(std::move(matrix), A); }, file.matrix);
    return OLP_OK;
  });
}

void olp_free_matrix(olp_matrix* A) {
  if (A == nullptr) return;
  delete static_cast<io::AnySparseMatrix*>(A->owner);
  *A = {};
}
