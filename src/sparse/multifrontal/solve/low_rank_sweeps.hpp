#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse::multifrontal {

/// L y = b, and U x = y, of one compressed front; is_transposed (LU): of its transpose, U^T y = b and L^T x = y.
/// Shapes  w: all positions of the front as they are named: pivots, then what is delayed, then the border. Forward they hold b of the
///         pivots and 0, then y and what its fronts subtract from the others; backward y and x of the others, then x of all
template <class T>
void forward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);
template <class T>
void backward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);

/// Of a strip: Y <- Y - L21 X, and X <- X - L21^T Y.
/// Shapes  L21: rows x e in panels; X: e x nrhs, Y: rows x nrhs
template <class T>
void subtract_strip(const LowRankFactors<T>& L21, MatrixView<const T> X, MatrixView<T> Y);
template <class T>
void subtract_strip_trans(const LowRankFactors<T>& L21, MatrixView<const T> Y, MatrixView<T> X);

}  // namespace overlapack::sparse::multifrontal
