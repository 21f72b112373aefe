#pragma once
#include "sparse/supernodal/factors/state.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// Address of each entry of B on this rank, in a panel of its subtrees or of the distributed nodes.
template <class T>
std::vector<T*> entry_positions(NodeState<T>& state, const EntryList<T>& list);

}  // namespace overlapack::sparse::supernodal
