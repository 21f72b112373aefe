#include "dense/lu/panel/phantom_panel.hpp"

#include "base/instantiate.hpp"
#include "base/random.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>

namespace overlapack::dense {

std::vector<Index> phantom_pivots(Index first, Index width, Index rows) {
  Random random(static_cast<std::uint64_t>(first));
  std::vector<Index> pivots;
  for (Index i = first; i < std::min(first + width, rows); ++i)
    pivots.push_back(i + static_cast<Index>(random.below(static_cast<std::uint64_t>(rows - i))));
  return pivots;
}

template <class T>
Panel<T> phantom_panel(Index number, Index first, Index width, Index rows_below, std::vector<Index> pivots) {
  Panel<T> panel;
  panel.number = number;
  panel.first = first;
  panel.width = width;
  panel.top = {nullptr, width, width, width};
  panel.below = {nullptr, rows_below, width, padded_ld(rows_below)};
  panel.moves = dist::row_moves(first, pivots);
  panel.pivots = std::move(pivots);
  return panel;
}

template <class T>
void charge_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                  comm::Key key) {
  const comm::collective::Group column = A.grid->column_group(A.me);
  const Index rows = A.local.rows - A.first_row({first});
  const Index together = std::max<Index>(1, moves.rank().capabilities().columns_per_exchange);
  const double m = static_cast<double>(rows);
  for (Index j = 0; j < width; j += together) {
    const Index columns = std::min(together, width - j);
    const double c = static_cast<double>(columns), left = static_cast<double>(width - j);
    // Each of these columns updates left - c / 2 columns on average.
    const kernels::Cost cost = kernels::cost_of<T>(m * c * (left - c / 2), 2 * m * left);
    moves.rank().compute({"panel", cost.flops, cost.bytes, rows, columns, width}, [] {});
    const auto bytes =
        static_cast<std::size_t>(columns) * (2 * static_cast<std::size_t>(width) * sizeof(T) + 24);
    key.part = j;
    moves.charge_pivot_search(column, key, columns, bytes);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template Panel<T> phantom_panel(Index, Index, Index, Index, std::vector<Index>); \
  template void charge_panel(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, Index, comm::Key);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
