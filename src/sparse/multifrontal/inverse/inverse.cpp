#include "sparse/multifrontal/inverse/inverse.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "sparse/multifrontal/inverse/inverse_walk.hpp"

#include <algorithm>
#include <functional>

namespace overlapack::sparse::multifrontal {

namespace {

/// Does the owner of each front have all of its factors, as they are?
template <class T>
bool has_whole_fronts(const FactorState<T>& state) {
  const Structure& structure = state.structure;
  if (structure.grid_root >= 0 || state.low_rank.is_used) return false;
  return structure.is_symmetric() ||
         std::ranges::none_of(structure.in_strips, [](char is) { return is != 0; });
}

}  // namespace

template <class T>
InverseEntries<T> inverse_entries(comm::Rank& rank, FactorState<T>& state, std::span<const Index> rows,
                                  std::span<const Index> cols, double solve_flops) {
  InverseEntries<T> result;
  if (!has_whole_fronts(state)) {
    result.value.assign(rows.size(), T(0));
    result.is_known.assign(rows.size(), 0);
    return result;
  }
  WantedEntries wanted = wanted_entries(rank, state, rows, cols);
  drop_dearer_than_solves<T>(state.structure, wanted, solve_flops);
  result.value.assign(wanted.front.size(), T(0));
  InverseWalk<T>(rank, state, wanted, result.value).run_all();
  if (rank.size() > 1) comm::collective::reduce(rank, 0, std::span<T>(result.value), std::plus<>());
  if (rank.rank() != 0) return {};
  result.is_known.resize(wanted.front.size());
  for (std::size_t k = 0; k < result.value.size(); ++k) {
    result.is_known[k] = wanted.front[k] >= 0;
    result.value[k] *= static_cast<Real<T>>(state.columns.scale[static_cast<std::size_t>(rows[k])]);
    result.value[k] *= static_cast<Real<T>>(state.rows.scale[static_cast<std::size_t>(cols[k])]);
  }
  return result;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                  \
  template InverseEntries<T> inverse_entries(comm::Rank&, FactorState<T>&, std::span<const Index>, \
                                             std::span<const Index>, double);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
