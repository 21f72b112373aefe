#pragma once
#include "sparse/factors/sparse_factors.hpp"

#include <memory>

namespace overlapack::sparse {

/// Makes empty factors by a method, for factorize or unpack.
/// Errors  BadPlan: ranks are simulated by shapes alone, which the method cannot be
template <class T>
std::unique_ptr<SparseFactors<T>> make_factors(Method method);

}  // namespace overlapack::sparse
