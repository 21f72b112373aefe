#include "sparse/supernodal/factorize/diagonal_block.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/update/swap.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overlapack::sparse::supernodal {
namespace {

/// order(first + k) <- order(first + step(k)).
void compose_order(std::span<std::int32_t> order, std::span<const std::int32_t> step,
                   std::vector<std::int32_t>& before) {
  before.assign(order.begin(), order.end());
  for (std::size_t k = 0; k < step.size(); ++k) order[k] = before[static_cast<std::size_t>(step[k])];
}

}  // namespace

template <class T>
SquareResult factor_square(MatrixView<T> D, const PivotTest<T>& test, std::span<std::int32_t> row_order,
                           std::span<std::int32_t> column_order, SquareWork<T>& work) {
  const Index w = D.cols;
  SquareResult result;
  std::iota(row_order.begin(), row_order.end(), 0);
  std::iota(column_order.begin(), column_order.end(), 0);
  work.values.resize(static_cast<std::size_t>(w));
  for (Index e = 0; e < w;) {
    const Index rest = w - e;
    for (auto* const order : {&work.rows, &work.columns}) {
      order->resize(static_cast<std::size_t>(rest));
      std::iota(order->begin(), order->end(), 0);
    }
    const auto panel = kernels::lu_panel<T>(D.block(e, e, rest, rest), test.threshold, work.rows,
                                            work.columns, test.replacement, &work.pivot_rows);
    if (e > 0) {  // the panel's exchanges apply to the blocks to the left of the rest and above it, too
      kernels::permute_rows<T>(D.block(e, 0, rest, e), work.rows, work.values);
      kernels::permute_columns<T>(D.block(0, e, e, rest), work.columns, work.values);
    }
    compose_order(row_order.subspan(static_cast<std::size_t>(e)), work.rows, work.before);
    compose_order(column_order.subspan(static_cast<std::size_t>(e)), work.columns, work.before);
    result.exchanged += panel.exchanges;
    if (panel.eliminated > 0)
      result.smallest =
          e == 0 ? panel.smallest_pivot : std::min<double>(result.smallest, panel.smallest_pivot);
    e += panel.eliminated;
    if (e == w) break;
    T& next = D(e, e);  // no entry of the rest reaches the replacement, which this one becomes
    result.is_finite = result.is_finite && std::isfinite(kernels::magnitude(next));
    if (!result.is_finite) return result;
    next = T(std::real(next) < 0 ? -test.replacement : test.replacement);
    ++result.replaced;
    result.smallest = 0;
  }
  for (Index j = 0; j < w; ++j)
    for (Index i = 0; i < w; ++i)
      result.is_finite = result.is_finite && std::isfinite(kernels::magnitude(D(i, j)));
  return result;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                  \
  template SquareResult factor_square(MatrixView<T>, const PivotTest<T>&, std::span<std::int32_t>, \
                                      std::span<std::int32_t>, SquareWork<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
