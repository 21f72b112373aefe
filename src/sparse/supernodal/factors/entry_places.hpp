#pragma once
#include "sparse/supernodal/factors/state.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// Where each entry of B on this rank has its place, in a panel of its subtrees or of what is dealt.
template <class T>
std::vector<T*> entry_places(NodeState<T>& state, const EntryList<T>& list);

}  // namespace overlapack::sparse::supernodal
