#pragma once
#include "base/matrix_view.hpp"
#include "kernels/small/table.hpp"

namespace overlapack::kernels {

/// A triangle of order <= 8 as the small kernels need it: lower, in the order of elimination, diagonal inverted.
template <class T>
struct PackedTriangle {
  T entries[small::base_width * small::base_width];

  /// entry(i, p): coefficient of unknown p in equation i, both counted in the order of elimination.
  template <class Entry>
  PackedTriangle(Index n, bool unit, Entry entry) {
    for (Index p = 0; p < n; ++p) {
      entries[p + small::base_width * p] = unit ? T(1) : T(1) / entry(p, p);
      for (Index i = p + 1; i < n; ++i) entries[i + small::base_width * p] = entry(i, p);
    }
  }
};

}  // namespace overlapack::kernels
