#include "api/c/matrix.hpp"

#include "api/c/solver.hpp"
#include "base/instantiate.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/compressed.hpp"

#include <utility>

namespace overlapack::c {
namespace {

[[noreturn]] void refuse_matrix(const std::string& message) { refuse(Status::bad_input, message); }

Lines lines_of(const olp_matrix& A) { return A.layout == OLP_CSR ? Lines::rows : Lines::columns; }
Index number_of_lines(const olp_matrix& A) { return A.layout == OLP_CSR ? A.rows : A.cols; }

/// The first `count` lines (rows or columns) in A's arrays, as Compressed.
template <class T, class I>
Compressed<T, I> arrays_of(const olp_matrix& A, Index count) {
  Compressed<T, I> arrays{.rows = A.rows,
                          .cols = A.cols,
                          .by = lines_of(A),
                          .half = symmetry_from(A.half, A.rows, A.cols),
                          .base = static_cast<I>(A.base)};
  if (count == 0) return arrays;
  arrays.start = {static_cast<const I*>(require_pointer(A.start, "start")),
                  static_cast<std::size_t>(count) + 1};
  const Index entries = Index{arrays.start.back()} - A.base;
  if (entries <= 0) return arrays;
  const auto length = static_cast<std::size_t>(entries);
  arrays.index = {static_cast<const I*>(require_pointer(A.index, "index")), length};
  arrays.value = {static_cast<const T*>(require_pointer(A.value, "value")), length};
  return arrays;
}

/// Return take(arrays_of(A, count)), with A's type of indices.
template <class T, class Take>
auto with_arrays(const olp_matrix& A, Index count, Take&& take) {
  return A.index_bytes == 4 ? take(arrays_of<T, std::int32_t>(A, count))
                            : take(arrays_of<T, std::int64_t>(A, count));
}

}  // namespace

Symmetry symmetry_from(int half, Index rows, Index cols) {
  if (half == OLP_WHOLE) return Symmetry::general;
  if (half != OLP_SYMMETRIC && half != OLP_HERMITIAN)
    refuse_matrix("half is " + std::to_string(half) + "; give OLP_WHOLE, OLP_SYMMETRIC or OLP_HERMITIAN");
  const Symmetry symmetry = half == OLP_SYMMETRIC ? Symmetry::symmetric : Symmetry::hermitian;
  sparse::require_half(symmetry, rows, cols);
  return symmetry;
}

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

bool is_type_alone(const olp_matrix& A) { return A.rows == 0 && A.cols == 0 && A.start == nullptr; }

template <class T>
SparseMatrix<T> whole_matrix(const olp_matrix& A) {
  check_description(A);
  return with_arrays<T>(A, number_of_lines(A), [](const auto& arrays) { return sparse::whole(arrays); });
}

template <class T>
Triplets<T> my_lines_as_triplets(const olp_matrix& A) {
  check_description(A);
  const Index all = number_of_lines(A);
  if (A.first < 0 || A.count < 0 || A.first > all || A.count > all - A.first)
    refuse_matrix("first is " + std::to_string(A.first) + " and count " + std::to_string(A.count) +
                  ", but the matrix has " + std::to_string(all) + " " +
                  std::string(sparse::line_name(lines_of(A))) + "s");
  const SparseMatrix<T> lines =
      with_arrays<T>(A, A.count, [](const auto& arrays) { return sparse::columns_of_lines(arrays); });
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
void move_to_caller(SparseMatrix<T> matrix, olp_matrix* to) {
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
  template Triplets<T> my_lines_as_triplets(const olp_matrix&); \
  template void move_to_caller(SparseMatrix<T>, olp_matrix*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_read_matrix(olp_solver* solver, const char* path, olp_matrix* A) {
  return c::call(solver, [&](olp_solver&) {
    c::require_pointer(A, "the place for the matrix");
    io::MatrixFile file = io::read_matrix(c::require_pointer(path, "the path"));
    std::visit([A](auto& matrix) { c::move_to_caller(std::move(matrix), A); }, file.matrix);
    return OLP_OK;
  });
}

void olp_free_matrix(olp_matrix* A) {
  if (A == nullptr) return;
  delete static_cast<io::AnySparseMatrix*>(A->owner);
  *A = {};
}
