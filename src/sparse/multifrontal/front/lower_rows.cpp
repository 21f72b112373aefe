#include "sparse/multifrontal/front/lower_rows.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

template <class T>
double apply_panel(comm::Rank& rank, const FactorPlan& plan, Index k, std::span<const std::int32_t> exchanged,
                   kernels::ConstView<T> Lp, MatrixView<T> L21) {
  const auto e = static_cast<Index>(exchanged.size()), rows = L21.rows, rest = L21.cols - k - e;
  const auto solve = [&](Index top, Index count) {
    const MatrixView<T> L = L21.block(top, 0, count, L21.cols);
    for (Index p = 0; p < e; ++p)
      if (exchanged[p] != k + p) kernels::swap_columns(L, k + p, exchanged[p]);
    kernels::solve_right_lower_trans<T>(Lp.block(0, 0, e, e), true, false, L.block(0, k, count, e));
  };
  const MatrixView<const T> L = L21.block(0, k, rows, e), U = Lp.block(e, 0, rest, e);
  const MatrixView<T> behind = L21.block(0, k + e, rows, rest);
  const kernels::Cost solve_cost = kernels::triangular_cost<T>(e, rows);
  const kernels::Cost update_cost = kernels::gemm_cost<T>(rows, rest, e);
  const kernels::Cost all = solve_cost + update_cost;
  if (all.flops <= plan.slice_flops) {
    rank.compute({"lower", all.flops, all.bytes, rows, rest, e}, [&] {
      solve(0, rows);
      kernels::full_update<T>(L, U, true, behind);
    });
    rank.poll();
    return all.flops;
  }
  const auto most = static_cast<Index>(plan.slice_flops * static_cast<double>(rows) / solve_cost.flops);
  const Index height = std::clamp<Index>(most, 1, plan.fronts.slice_rows),
              slices = (rows + height - 1) / height;
  rank.run_slices({"lower", solve_cost.flops, solve_cost.bytes, rows, e, e}, static_cast<std::size_t>(slices),
                  [&](std::size_t i) {
                    const Index top = static_cast<Index>(i) * height;
                    solve(top, std::min(height, rows - top));
                  });
  if (rest == 0) return all.flops;
  const auto tiles = kernels::full_tiles(rows, rest, kernels::tile_edge<T>(plan.slice_flops, e));
  rank.run_slices({"lower", update_cost.flops, update_cost.bytes, rows, rest, e}, tiles.size(),
                  [&](std::size_t i) { kernels::update_tile<T>(tiles[i], L, U, false, true, behind); });
  return all.flops;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                   \
  template double apply_panel(comm::Rank&, const FactorPlan&, Index, std::span<const std::int32_t>, \
                              kernels::ConstView<T>, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
