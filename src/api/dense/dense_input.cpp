#include "api/dense/dense_input.hpp"

#include "api/dense/layout.hpp"
#include "api/run/session.hpp"
#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace overlapack::api {

void require_shape(Index rows, Index cols, bool is_square) {
  if (rows < cols && !is_square)
    refuse(Status::bad_input,
           "the matrix has " + std::to_string(rows) + " rows and " + std::to_string(cols) +
               " columns, so that many x leave no residual; give at least as many rows as columns");
  if (rows != cols && is_square)
    refuse(Status::bad_input, "the matrix has " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                                  " columns; give a square one");
  if (cols < 1) refuse(Status::bad_input, "the matrix has no columns; give at least one unknown");
}

template <class T>
void require_strides(dense::View<T> A) {
  const bool is_by_columns = A.row_stride >= 1 && A.ld >= A.row_stride * A.rows;
  const bool is_by_rows = A.ld >= 1 && A.row_stride >= A.ld * A.cols;
  if (A.data != nullptr && (is_by_columns || is_by_rows)) return;
  refuse(Status::bad_input, "the leading dimension is " + std::to_string(A.ld) + " and row_stride " +
                                std::to_string(A.row_stride) + "; for a matrix by columns give at least " +
                                std::to_string(A.rows) + " and 1, for one by rows 1 and at least " +
                                std::to_string(A.cols));
}

void require_processes(const Options& options, const dense::Layout& layout) {
  if (ranks_are_processes(options) || (layout.grid_rows == 1 && layout.grid_cols == 1)) return;
  refuse(Status::bad_plan,
         "parts on several ranks need engine mpi; start with mpirun, or hand over the whole matrix");
}

template <class T>
void require_hermitian(dense::View<T> A) {
  std::vector<double> size(static_cast<std::size_t>(A.cols));
  for (Index j = 0; j < A.cols; ++j)
    size[static_cast<std::size_t>(j)] = std::sqrt(static_cast<double>(std::abs(A(j, j))));
  const double rounding = static_cast<double>(A.cols) * std::numeric_limits<Real<T>>::epsilon();
  const auto differ = [&](Index i, Index j) {
    const auto difference = static_cast<double>(std::abs(A(i, j) - conjugate(A(j, i))));
    const double bound = rounding * size[static_cast<std::size_t>(i)] * size[static_cast<std::size_t>(j)];
    return !(difference <= bound);  // NaN, too
  };
  const auto refuse_at = [&](Index i, Index j) {
    std::ostringstream text;
    text.precision(std::numeric_limits<Real<T>>::max_digits10);
    text << "factorization is cholesky, but the matrix is not "
         << (ScalarTraits<T>::is_complex ? "Hermitian" : "symmetric") << ": A(" << i << ", " << j
         << ") = " << A(i, j);
    if (i == j)
      text << " is not real";
    else
      text << ", but A(" << j << ", " << i << ") = " << A(j, i);
    text << " (from 0); use lu";
    refuse(Status::bad_input, text.str());
  };
  constexpr Index side = 64;  // squares, since one of the triangles is read along rows
  for (Index left = 0; left < A.cols; left += side)
    for (Index top = left; top < A.rows; top += side)
      for (Index j = left; j < std::min(left + side, A.cols); ++j)
        for (Index i = std::max(top, j); i < std::min(top + side, A.rows); ++i)
          if (differ(i, j)) refuse_at(i, j);
}

#define OVERLAPACK_INSTANTIATE(T)                  \
  template void require_strides(dense::View<T> A); \
  template void require_hermitian(dense::View<T> A);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
