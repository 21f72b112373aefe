#include "sparse/matrix/compressed.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace overlapack::sparse {
namespace {

[[noreturn]] void refuse_arrays(const std::string& message) { throw Error(Status::bad_input, message); }

/// An array must have needed + more numbers.
void require_length(std::string_view name, std::size_t length, Index needed, Index more = 0) {
  if (static_cast<Index>(length) - more != needed)
    refuse_arrays(std::string(name) + " has " + std::to_string(length) + " numbers, but the matrix needs " +
                  std::to_string(needed) + (more > 0 ? " + " + std::to_string(more) : ""));
}

/// The starts of the lines, counted from 0.
template <class T, class I>
std::vector<Index> starts_of(const Compressed<T, I>& arrays) {
  if (arrays.start[0] != arrays.base)
    refuse_arrays("start begins with " + std::to_string(arrays.start[0]) + ", but base is " +
                  std::to_string(arrays.base) + "; the two must be equal");
  std::vector<Index> start(arrays.start.size());
  for (std::size_t k = 1; k < start.size(); ++k) {
    if (arrays.start[k] < arrays.start[k - 1])
      refuse_arrays("start decreases after " + std::string(line_name(arrays.by)) + " " +
                    std::to_string(static_cast<Index>(k) - 1 + arrays.base) + "; it must ascend");
    start[k] = Index{arrays.start[k]} - arrays.base;
  }
  return start;
}

}  // namespace

std::string_view line_name(Lines by) { return by == Lines::rows ? "row" : "column"; }

template <class T, class I>
SparseMatrix<T> columns_of_lines(const Compressed<T, I>& arrays) {
  const bool by_rows = arrays.by == Lines::rows;
  SparseMatrix<T> lines;
  lines.rows = by_rows ? arrays.cols : arrays.rows;
  lines.cols = std::max<Index>(static_cast<Index>(arrays.start.size()) - 1, 0);
  if (!arrays.start.empty()) lines.start = starts_of(arrays);
  require_length("index", arrays.index.size(), lines.start.back());
  require_length("value", arrays.value.size(), lines.start.back());
  lines.row.resize(arrays.index.size());
  for (Index k = 0; k < lines.cols; ++k)
    for (Index p = lines.start[k]; p < lines.start[k + 1]; ++p) {
      lines.row[p] = Index{arrays.index[p]} - arrays.base;
      if (lines.row[p] < 0 || lines.row[p] >= lines.rows)
        refuse_arrays(std::string(line_name(arrays.by)) + " " + std::to_string(k + arrays.base) +
                      " has an entry in " + (by_rows ? "column " : "row ") + std::to_string(arrays.index[p]) +
                      " of a matrix with " + std::to_string(lines.rows) + "; numbers go from " +
                      std::to_string(arrays.base));
    }
  lines.value.assign(arrays.value.begin(), arrays.value.end());
  return lines;
}

void require_half(Symmetry symmetry, Index rows, Index cols) {
  if (symmetry == Symmetry::skew)
    refuse_arrays("half is symmetric or hermitian; give a skew-symmetric matrix whole");
  if (rows != cols)
    refuse_arrays("half is set, but the matrix is " + std::to_string(rows) + " x " + std::to_string(cols) +
                  "; only a square matrix is given by one triangle");
}

template <class T>
SparseMatrix<T> both_triangles(SparseMatrix<T> triangle, Symmetry symmetry) {
  require_half(symmetry, triangle.rows, triangle.cols);
  make_canonical(triangle);
  bool has_lower = false, has_upper = false;
  for (Index j = 0; j < triangle.cols; ++j)
    for (Index p = triangle.start[j]; p < triangle.start[j + 1]; ++p) {
      has_lower |= triangle.row[p] > j;
      has_upper |= triangle.row[p] < j;
    }
  if (has_lower && has_upper)
    refuse_arrays(
        "half is set, but there are entries on both sides of the diagonal; give one triangle, or the whole "
        "matrix without half");
  return mirror_triangle(triangle, symmetry);
}

template <class T, class I>
SparseMatrix<T> whole(const Compressed<T, I>& arrays) {
  if (arrays.rows < 0 || arrays.cols < 0)
    refuse_arrays("the matrix has " + std::to_string(arrays.rows) + " rows and " +
                  std::to_string(arrays.cols) + " columns; sizes must not be negative");
  if (arrays.base != 0 && arrays.base != 1)
    refuse_arrays("base is " + std::to_string(arrays.base) + "; give 0, or 1 as in Fortran");
  const Index lines = arrays.by == Lines::rows ? arrays.rows : arrays.cols;
  if (lines > 0 || !arrays.start.empty()) require_length("start", arrays.start.size(), lines, 1);
  SparseMatrix<T> matrix = columns_of_lines(arrays);
  if (arrays.by == Lines::rows) matrix = transpose(matrix);
  return arrays.half == Symmetry::general ? std::move(matrix)
                                          : both_triangles(std::move(matrix), arrays.half);
}

#define OVERLAPACK_INSTANTIATE(T)                                                \
  template SparseMatrix<T> columns_of_lines(const Compressed<T, std::int32_t>&); \
  template SparseMatrix<T> columns_of_lines(const Compressed<T, std::int64_t>&); \
  template SparseMatrix<T> both_triangles(SparseMatrix<T>, Symmetry);            \
  template SparseMatrix<T> whole(const Compressed<T, std::int32_t>&);            \
  template SparseMatrix<T> whole(const Compressed<T, std::int64_t>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
