#include "sparse/multifrontal/front/front_check.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace overlapack::sparse::multifrontal {

namespace {

/// Size of pivot k: |d| of a 1x1 pivot; |det| / largest entry of a 2x2 pivot, which is its smaller eigenvalue
/// up to a factor of two. The diagonal of Cholesky's L has square roots of the pivots.
template <class T>
double pivot_size(const Structure& structure, const Front<T>& front, Index k, bool is_pair) {
  using kernels::magnitude;
  if (structure.kind == FactorKind::cholesky) return std::pow(magnitude(front.pivot(k)), 2);
  if (structure.kind == FactorKind::lu) return magnitude(front.pivot(k));
  if (!is_pair) return magnitude(front.d[k]);
  const T off = front.d_off[k], mirrored = structure.hermitian ? conjugate(off) : off;
  const Real<T> largest = std::max({magnitude(front.d[k]), magnitude(front.d[k + 1]), magnitude(off)});
  return magnitude(front.d[k] * (front.d[k + 1] / largest) - off * (mirrored / largest));
}

}  // namespace

void refuse_overflow(const Structure& structure, Index front, Index order) {
  throw Error(Status::bad_input,
              "numbers left the range of their type in front " + std::to_string(front) + " of " +
                  std::to_string(structure.tree.fronts()) + " (order " + std::to_string(order) + "): use " +
                  (structure.signs.empty() ? "matching on or scaling ruiz"
                                           : "scaling ruiz, see that signs are those of the matrix") +
                  ", or compute in double precision");
}

template <class T>
void check_pivots(const Structure& structure, const Front<T>& front, PivotCheck<T>& check) {
  for (Index k = front.eliminated; k < front.summed; ++k)  // NaN passes no pivot test
    for (Index i = k; i < front.order(); ++i)
      if (!std::isfinite(kernels::magnitude(front.panel()(i, k))))
        refuse_overflow(structure, front.number, front.order());
  for (Index k = 0; k < front.eliminated; ++k) {
    const bool is_pair = front.d_off != nullptr && front.d_off[k] != T(0);
    const double size = pivot_size(structure, front, k, is_pair);
    if (!std::isfinite(size)) refuse_overflow(structure, front.number, front.order());
    check.check(size, front.row_name[k], front.col_name[k]);
    k += is_pair;
  }
}

template <class T>
void replace_zeros(const Structure& structure, Front<T>& front, PivotCheck<T>& check) {
  if (front.low_rank && structure.kind == FactorKind::lu) return;  // its pivots stand in squares of panels
  const MatrixView<T> P = front.panel();
  const Index first = front.eliminated;
  for (Index k = first; k < front.summed; ++k)
    for (Index i = structure.is_symmetric() ? k : first; i < front.summed; ++i)
      if (P(i, k) != T(0)) return;
  for (Index& k = front.eliminated; k < front.summed; ++k) {
    T& pivot = structure.kind == FactorKind::ldlt ? front.d[k] : P(k, k);
    pivot = T(check.replace_zero(front.row_name[k], front.col_name[k]));
    if (front.d_off != nullptr) front.d_off[k] = T(0);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                \
  template void check_pivots(const Structure&, const Front<T>&, PivotCheck<T>&); \
  template void replace_zeros(const Structure&, Front<T>&, PivotCheck<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
