#pragma once
#include "sparse/factors/sparse_factors.hpp"

#include <memory>

namespace overlapack::sparse {

/// Empty factors by a method.
/// Errors  BadPlan: ranks simulated by shapes alone, and the method is not
template <class T>
std::unique_ptr<SparseFactors<T>> make_factors(Method method);

}  // namespace overlapack::sparse
