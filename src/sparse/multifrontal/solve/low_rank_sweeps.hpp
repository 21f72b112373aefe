#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse::multifrontal {

/// L y = b, and U x = y, of one compressed front; is_transposed (LU): of its transpose, U^T y = b and L^T x = y.
/// Shapes  w: all positions of the front as they are named: pivots, then delayed variables, then the border.
///         Forward, it holds b of the pivots and 0 for the others, afterwards y and what the front subtracts
///         from the others. Backward, it holds y of the pivots and x of the others, afterwards x of all
template <class T>
void forward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);
template <class T>
void backward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);

/// Products with L21 of a strip of a compressed front: Y <- Y - L21 X, and X <- X - L21^T Y.
/// Shapes  L21: rows x e in panels; X: e x nrhs, Y: rows x nrhs
template <class T>
void subtract_strip(const LowRankFactors<T>& L21, MatrixView<const T> X, MatrixView<T> Y);
template <class T>
void subtract_strip_trans(const LowRankFactors<T>& L21, MatrixView<const T> Y, MatrixView<T> X);

}  // namespace overlapack::sparse::multifrontal
