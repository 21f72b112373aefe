#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse {

/// L y = b, and U x = y, of one compressed front; is_transposed (LU): of its transpose, U^T y = b and L^T x = y.
/// Shapes  w: all places of the front as they are named: pivots, then what is delayed, then the border. Forward they hold b of the
///         pivots and 0, then y and what its fronts subtract from the others; backward y and x of the others, then x of all
template <class T>
void forward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);
template <class T>
void backward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w);

}  // namespace overlapack::sparse
