#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/sparse_factors.hpp"

namespace overlapack::sparse::multifrontal {

template <class T>
struct FactorState;

/// As SparseFactors::inverse_entries. No entry is known if fronts are compressed, a root is on a grid, or LU
/// has strips.
template <class T>
InverseEntries<T> inverse_entries(comm::Rank& rank, FactorState<T>& state, std::span<const Index> rows,
                                  std::span<const Index> cols, double solve_flops);

}  // namespace overlapack::sparse::multifrontal
