#pragma once
#include "comm/message.hpp"
#include "sparse/supernodal/factors/state.hpp"

#include <memory>

namespace overlapack::sparse::supernodal {

/// A rank's nodes, lists and panels as bytes.
template <class T>
comm::Body pack(const NodeState<T>& state);

/// Errors  BadInput: a panel has another size than its lists say
template <class T>
std::unique_ptr<NodeState<T>> unpack_nodes(const comm::Body& body);

}  // namespace overlapack::sparse::supernodal
