#pragma once
#include "sparse/supernodal/factors/state.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// Where each entry of B on this rank has its position, in a panel of its subtrees or of what is distributed.
template <class T>
std::vector<T*> entry_positions(NodeState<T>& state, const EntryList<T>& list);

}  // namespace overlapack::sparse::supernodal
