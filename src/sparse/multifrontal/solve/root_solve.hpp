#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/solve/solve_vectors.hpp"

namespace overlapack::sparse::multifrontal {

/// Between the two walks of a solve: x of the root on the grid, from what the forward walk left in vectors.equations of its
/// owner, which gets x into vectors.unknowns.
/// Shapes  of the whole root, on every rank while it is solved
/// Sync    collective over all ranks; the walk before it has ended with a barrier, and so does this
template <class T>
void solve_root(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors);

}  // namespace overlapack::sparse::multifrontal
