#include "sparse/multifrontal/front/front_steps.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/update.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::sparse::multifrontal {

template <class T>
double panel_flops(FactorKind kind, Index f, Index e) {
  switch (kind) {
    case FactorKind::lu:
      return kernels::lu_panel_cost<T>(f, e).flops;
    case FactorKind::ldlt:
      return kernels::ldlt_panel_cost<T>(f, e).flops;
    case FactorKind::cholesky:
    case FactorKind::qr:             // never of a front
    case FactorKind::quasidefinite:  // is ldlt
      break;
  }
  return kernels::cholesky_panel_cost<T>(f, e).flops;
}

template <class T>
std::unique_ptr<kernels::PanelSteps<T>> panel_steps(const Structure& structure, const PivotTest<T>& test,
                                                    Front<T>& front, Index first, Index width,
                                                    std::vector<std::int32_t>& row_order,
                                                    std::vector<std::int32_t>& col_order) {
  const MatrixView<T> P = front.panel().block(first, first, front.panel().rows - first, width);
  const auto size = static_cast<std::size_t>(width);
  switch (structure.kind) {
    case FactorKind::lu:
      return kernels::lu_panel_steps<T>(P, test.threshold, col_order, row_order, test.least);
    case FactorKind::ldlt:
      return kernels::ldlt_panel_steps<T>(P, structure.hermitian, test.threshold, row_order,
                                          {front.d + first, size}, {front.d_off + first, size}, test.least,
                                          signs_of(structure, test, front, first));
    case FactorKind::cholesky:
    case FactorKind::qr:             // never of a front
    case FactorKind::quasidefinite:  // is ldlt
      break;
  }
  return kernels::cholesky_panel_steps<T>(P);
}

template <class T>
FrontSteps<T>::FrontSteps(const comm::Rank& rank, const Structure& structure, const PivotTest<T>& test,
                          Front<T>& front, std::vector<std::int32_t>& row_order,
                          std::vector<std::int32_t>& col_order)
    : kind_(structure.kind), front_(front) {
  const Index s = front.summed;
  identity(row_order, s);
  identity(col_order, s);
  if (rank.capabilities().is_phantom) {
    steps_ = kernels::pivots_in_order<T>(front.order(), s, structure.is_symmetric());
    return;
  }
  steps_ = panel_steps(structure, test, front, 0, s, row_order, col_order);
}

/// Flops of a step of `width` pivots over the rows that are left; for LU with the solve for the pivots' rows
/// of U.
template <class T>
double FrontSteps<T>::step_flops(Index width) const {
  const Index k = steps_->eliminated();
  const double panel = panel_flops<T>(kind_, front_.order() - k, width);
  if (kind_ != FactorKind::lu) return panel;
  return panel + kernels::triangular_cost<T>(width, front_.summed - k - width).flops;
}

template <class T>
Index FrontSteps<T>::width(double flops) const {
  constexpr Index grain = 16;
  const Index left = front_.summed - steps_->eliminated();
  // a step of w takes at most w^2 (f + s) / 2 multiply-adds
  const double area =
      static_cast<double>(front_.order() + front_.summed) / 2 * kernels::multiply_add_flops<T>;
  const double wide = std::sqrt(flops / area);
  if (wide >= static_cast<double>(left)) return left;
  return std::min(left, std::max(least_step, static_cast<Index>(wide) / grain * grain));
}

template <class T>
Index FrontSteps<T>::next(comm::Rank& rank, Index width) {
  const Index k = steps_->eliminated(), w = std::min(width, front_.summed - k);
  comm::compute_with_lists(rank, {"panel", step_flops(w), 0, front_.order() - k, w},
                           [&] { gained_ = steps_->eliminate_next(w); });
  rank.poll();
  return gained_;
}

template <class T>
void FrontSteps<T>::update(comm::Rank& rank, double flops) {
  const std::vector<kernels::Tile> tiles = steps_->tiles_to_update(flops);
  double all = 0;
  for (const kernels::Tile& tile : tiles) all += tile.flops<T>(gained_);
  const auto update = [&](std::size_t i) { steps_->update(tiles[i]); };
  const comm::Work work{
      "update", all, 0, front_.order() - steps_->eliminated(), front_.summed - steps_->eliminated(), gained_};
  if (all > flops) return rank.run_slices(work, tiles.size(), update);
  rank.compute(work, [&] {
    for (std::size_t i = 0; i < tiles.size(); ++i) update(i);
  });
  rank.poll();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                 \
  template double panel_flops<T>(FactorKind, Index, Index);                                       \
  template std::unique_ptr<kernels::PanelSteps<T>> panel_steps(                                   \
      const Structure&, const PivotTest<T>&, Front<T>&, Index, Index, std::vector<std::int32_t>&, \
      std::vector<std::int32_t>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
OVERLAPACK_INSTANTIATE_CLASS(FrontSteps);

}  // namespace overlapack::sparse::multifrontal
