#pragma once
#include "sparse/multifrontal/factors/state.hpp"

/// One rank's factors as bytes of this computer's byte order, and back.
namespace overlapack::sparse::multifrontal {

template <class T>
comm::Body pack(const FactorState<T>& state);

/// Fills the state. Its walk and rhs_block are not in the body, and stay as they are.
/// Shapes  body: as pack made it
template <class T>
void unpack(const comm::Body& body, FactorState<T>& state);

}  // namespace overlapack::sparse::multifrontal
