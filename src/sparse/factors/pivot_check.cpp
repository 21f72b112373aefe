#include "sparse/factors/pivot_check.hpp"

#include "kernels/operand.hpp"

#include <complex>
#include <string>

namespace overlapack::sparse {

template <class T>
void PivotCheck<T>::refuse(double share) const {
  refuse_singular(
      method_,
      "a pivot fell to " + scientific(share) + " of the size of its row or column, which is rounding",
      "null_pivots");
}

template <class T>
void PivotCheck<T>::check_left(Index left, Index n) const {
  if (left == 0 || plan_.keeps_null_pivots) return;
  refuse_singular(method_,
                  std::to_string(left) + " of " + std::to_string(n) +
                      " pivots are zero or below the threshold at a root of the tree",
                  "null_pivots");
}

#define OVERLAPACK_INSTANTIATE(T) template class PivotCheck<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
