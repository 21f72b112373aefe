#include "sparse/factors/pivot_check.hpp"

#include "kernels/operand.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <complex>
#include <string>

namespace overlapack::sparse {

template <class T>
void PivotCheck<T>::check(double size, std::int32_t row, std::int32_t col) {
  const double least = plan_.keeps_null_pivots ? 0 : singular_share<T>(plan_);
  const double expected = std::min(entries_.row_size()[static_cast<std::size_t>(row)],
                                   entries_.col_size()[static_cast<std::size_t>(col)]);
  stats_.smallest_pivot = std::min(stats_.smallest_pivot, size / expected);
  if (size < least * expected)
    refuse_singular(method_,
                    "a pivot fell to " + scientific(size / expected) +
                        " of the size of its row or column, which is rounding",
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
