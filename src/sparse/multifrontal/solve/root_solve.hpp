#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/solve/solve_vectors.hpp"

namespace overlapack::sparse::multifrontal {

/// Solves with the root on the grid, between the two walks of a solve. The root's owner has the right-hand
/// side in vectors.equations, from the forward walk, and gets x into vectors.unknowns.
/// Memory  every rank has the right-hand sides of the whole root while it is solved
/// Sync    collective over all ranks; the walk before it has ended with a barrier, and so does this
template <class T>
void solve_root(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors);

}  // namespace overlapack::sparse::multifrontal
