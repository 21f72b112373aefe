#include "sparse/multifrontal/pivot_check.hpp"

#include "kernels/operand.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace overlapack::sparse {

namespace {

/// |pivot| of a 1x1, |det| / largest entry of a 2x2 pivot: its smaller eigenvalue but for a factor of two.
template <class T>
double pivot_size(const Structure& structure, const Front<T>& front, Index k, bool is_pair) {
  using kernels::magnitude;
  if (structure.kind == FactorKind::cholesky) return std::pow(magnitude(front.panel()(k, k)), 2);
  if (structure.kind == FactorKind::lu) return magnitude(front.panel()(k, k));
  if (!is_pair) return magnitude(front.d[k]);
  const T off = front.d_off[k], mirrored = structure.hermitian ? conjugate(off) : off;
  const Real<T> largest = std::max({magnitude(front.d[k]), magnitude(front.d[k + 1]), magnitude(off)});
  return magnitude(front.d[k] * (front.d[k + 1] / largest) - off * (mirrored / largest));
}

template <class T>
[[noreturn]] void refuse_overflow(const Structure& structure, const Front<T>& front) {
  throw Error(ErrorKind::bad_input, "multifrontal",
              "numbers left the range of their type in front " + std::to_string(front.number) + " of " +
                  std::to_string(structure.tree.fronts()) + " (order " + std::to_string(front.order()) +
                  "): use matching on or scaling ruiz, or compute in double precision");
}

std::string scientific(double x) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, x, std::chars_format::scientific, 1).ptr;
  return {digits, end};
}

}  // namespace

template <class T>
void PivotCheck<T>::check(double size, std::int32_t row, std::int32_t col) {
  const double rounding =
      std::is_same_v<Real<T>, float> ? 32 * std::numeric_limits<float>::epsilon() : plan_.singular_pivot;
  const double least = plan_.keeps_null_pivots ? 0 : rounding;
  const double expected = std::min(entries_.row_size()[static_cast<std::size_t>(row)],
                                   entries_.col_size()[static_cast<std::size_t>(col)]);
  stats_.smallest_pivot = std::min(stats_.smallest_pivot, size / expected);
  if (size < least * expected)
    throw Error(ErrorKind::singular, "multifrontal",
                "the matrix is numerically singular: a pivot fell to " + scientific(size / expected) +
                    " of the size of its row or column, which is rounding; check the model for missing "
                    "constraints or dependent equations, or factorise with null_pivots");
}

template <class T>
void PivotCheck<T>::check(const Front<T>& front) {
  for (Index k = front.eliminated; k < front.summed; ++k)  // NaN passes no pivot test
    for (Index i = k; i < front.order(); ++i)
      if (!std::isfinite(kernels::magnitude(front.panel()(i, k)))) refuse_overflow(structure_, front);
  for (Index k = 0; k < front.eliminated; ++k) {
    const bool is_pair = front.d_off != nullptr && front.d_off[k] != T(0);
    const double size = pivot_size(structure_, front, k, is_pair);
    if (!std::isfinite(size)) refuse_overflow(structure_, front);
    check(size, front.row_name[k], front.col_name[k]);
    k += is_pair;
  }
}

template <class T>
void PivotCheck<T>::check_root(Index left) const {
  if (left == 0 || plan_.keeps_null_pivots) return;
  throw Error(
      ErrorKind::singular, "multifrontal",
      "the matrix is numerically singular: " + std::to_string(left) + " of " +
          std::to_string(structure_.tree.n) +
          " pivots are zero or below the threshold at a root of the tree; check the model for missing "
          "constraints or dependent equations, or factorise with null_pivots");
}

#define OVERLAPACK_INSTANTIATE(T) template class PivotCheck<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
