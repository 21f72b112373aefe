#include "sparse/multifrontal/solve/front_triangle.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/lines_solve.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

using kernels::Op;

template <class T>
void FrontTriangle<T>::forward(MatrixView<T> lines) const {
  const Index e = front.eliminated, s = front.summed;
  const MatrixView<T> y = lines.block(0, 0, lines.rows, e);
  const auto set = [&](Index first, Index end) {
    subtract(first, end - first, 0, e, false, y, false, lines.block(0, first, lines.rows, end - first));
  };
  solve(0, e, false, y);
  if (is_whole) return set(e, lines.cols);
  set(e, s);
  if (front.lower_data != nullptr) return set(s, lines.cols);
  for (Index i = s; i < lines.cols; ++i) std::fill_n(lines.column(i), lines.rows, T(0));
}

template <class T>
void FrontTriangle<T>::backward(MatrixView<T> lines) const {
  const Index e = front.eliminated, s = front.summed;
  const MatrixView<T> x = lines.block(0, 0, lines.rows, e);
  const auto take = [&](Index first, Index end) {
    subtract(first, end - first, 0, e, true, lines.block(0, first, lines.rows, end - first), true, x);
  };
  if (is_whole) {
    take(e, lines.cols);
  } else {
    take(e, s);
    if (front.lower_data != nullptr) take(s, lines.cols);
  }
  solve(0, e, true, x);
}

template <class T>
void FrontTriangle<T>::subtract(Index row, Index rows, Index col, Index cols, bool is_transposed,
                                MatrixView<const T> X, bool accumulate, MatrixView<T> Y) const {
  const Op down = is_conjugated ? Op::conj_trans : Op::trans;
  const MatrixView<T> P = front.panel();
  if (is_whole)
    return kernels::subtract_lines<T>(is_transposed ? down : Op::none, P.block(row, col, rows, cols), X,
                                      accumulate, Y);
  if (row < front.summed)
    return kernels::subtract_lines<T>(is_transposed ? Op::none : Op::trans, P.block(col, row, cols, rows), X,
                                      accumulate, Y);
  kernels::subtract_lines<T>(is_transposed ? Op::trans : Op::none,
                             front.L21().block(row - front.summed, col, rows, cols), X, accumulate, Y);
}

template <class T>
void FrontTriangle<T>::solve(Index first, Index count, bool is_transposed, MatrixView<T> X) const {
  const MatrixView<const T> F = front.panel().block(first, first, count, count);
  const Op down = is_conjugated ? Op::conj_trans : Op::trans;
  if (is_transposed)
    kernels::solve_lines_upper<T>(is_whole ? down : Op::none, F, is_unit, X);
  else
    kernels::solve_lines_lower<T>(is_whole ? Op::none : Op::trans, F, is_unit, X);
}

OVERLAPACK_INSTANTIATE_CLASS(FrontTriangle);

}  // namespace overlapack::sparse::multifrontal
