#include "sparse/factors/pivot_check.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <string>

namespace overlapack::sparse {

template <class T>
void PivotCheck<T>::count(double share) {
  ++stats_.pivots.rounding;
  if (!plan_.refuses_rounding) return;
  refuse_singular(
      "a pivot fell to " + scientific(share) + " of the size of its row or column, which is rounding",
      "null_pivots");
}

template <class T>
Real<T> PivotCheck<T>::replace_zero(std::int32_t row, std::int32_t col) {
  if (!(size_of(row, col) > 0)) refuse_singular("it has a row or column of zeros", "null_pivots");
  ++stats_.pivots.rounding;
  ++stats_.pivots.zero;
  stats_.smallest.replace_if_smaller({0, row, col});
  return static_cast<Real<T>>(zero_share<T>(plan_) * size_of(row, col));
}

template <class T>
bool PivotCheck<T>::replaces_zeros() const {
  return !plan_.keeps_null_pivots && !plan_.refuses_rounding;
}

template <class T>
void PivotCheck<T>::check_left(Index left, Index n) const {
  if (left == 0 || plan_.keeps_null_pivots) return;
  refuse_singular(std::to_string(left) + " of " + std::to_string(n) +
                      " pivots are zero or below the threshold at a root of the tree",
                  "null_pivots");
}

OVERLAPACK_INSTANTIATE_CLASS(PivotCheck);

}  // namespace overlapack::sparse
