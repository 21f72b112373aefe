#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "sparse/factors/pair_determinant.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/multifrontal/factors/read_factors.hpp"
#include "sparse/multifrontal/solve/solve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace overlapack::sparse::multifrontal {

namespace {

using dense::product;
using dense::ScaledNumber;

template <class T>
ScaledNumber<T> scaled_number(const T& x) {
  return product(ScaledNumber<T>{x, 0}, ScaledNumber<T>{});
}

template <class T>
ScaledNumber<T> pivots_of(const Structure& structure, const Front<T>& front) {
  ScaledNumber<T> all;
  if (!structure.has_panel(front.number)) return all;
  for (Index k = 0; k < front.eliminated; ++k) {
    if (structure.kind != FactorKind::ldlt) {
      const ScaledNumber<T> pivot = scaled_number(front.pivot(k));
      all = product(all, structure.kind == FactorKind::lu ? pivot : product(pivot, pivot));
    } else if (front.d_off[k] != T(0)) {
      all = product(all, pair_determinant(front.d[k], front.d_off[k], front.d[k + 1], structure.hermitian));
      ++k;
    } else {
      all = product(all, scaled_number(front.d[k]));
    }
  }
  return all;
}

/// Determinant of the root on a grid, the same on every rank.
template <class T>
ScaledNumber<T> root_determinant(comm::Rank& rank, const FactorState<T>& state) {
  if (state.structure.grid_root < 0) return {};
  if (state.structure.kind != FactorKind::cholesky)
    return dense::lu_determinant(rank, state.root.matrix(), std::span<const Index>(state.root.pivots()));
  const ScaledNumber<T> half = dense::triangle_determinant(rank, state.root.matrix());
  return product(half, half);
}

/// Column of A -> the row of its pivot, on rank 0.
template <class T>
std::vector<Index> row_of_column(const FactorState<T>& state) {
  std::vector<Index> row_of(static_cast<std::size_t>(state.structure.tree.n), -1);
  for (std::size_t r = 0; r < state.columns.pivots.size(); ++r) {
    const auto columns = state.columns.pivots[r].template as<std::int32_t>();
    const auto rows = state.rows.pivots[r].template as<std::int32_t>();
    for (std::size_t k = 0; k < columns.size(); ++k)
      row_of[state.columns.perm[columns[k]]] = state.rows.perm[rows[k]];
  }
  return row_of;
}

}  // namespace

template <class T>
ScaledNumber<T> determinant(comm::Rank& rank, FactorState<T>& state) {
  ScaledNumber<T> all;
  if (state.stats.pivots.null > 0) return {T(0), 0};
  if (state.file) state.file->set_read_order({});
  for (Front<T>& front : state.fronts) {
    read_front(rank, state, front);
    all = product(all, pivots_of(state.structure, front));
  }
  if (state.file) state.file->stop_thread();
  if (rank.rank() == 0) {
    all.exponent -= log2_product(state.rows.scale) + log2_product(state.columns.scale);
    if (!state.structure.is_symmetric() && is_odd(row_of_column(state))) all.mantissa = -all.mantissa;
  }
  comm::collective::all_reduce(rank, std::span<ScaledNumber<T>>(&all, 1), product<T>);
  return product(all, root_determinant(rank, state));  // 0 has one form
}

#define OVERLAPACK_INSTANTIATE(T) template ScaledNumber<T> determinant(comm::Rank&, FactorState<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
