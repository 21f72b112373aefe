#pragma once
#include "overlapack/scalar.hpp"

#include <vector>

namespace overlapack::dist {

/// The best pivot that is known so far, and the row whose place it takes.
template <class T>
struct PivotRow {
  Real<T> size = -1;         ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;            ///< global; -1: no row was offered yet
  std::vector<T> entries;    ///< of that row
  std::vector<T> displaced;  ///< of the row whose place it takes; empty where they are not known yet
};

}  // namespace overlapack::dist
