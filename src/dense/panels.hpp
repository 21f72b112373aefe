#pragma once
#include "dist/grid/distributed_matrix.hpp"

#include <algorithm>

namespace overlapack::dense {

/// A range [begin, end) of global columns, such as some block columns of the trailing matrix.
struct ColumnRange {
  dist::Global begin, end;
};

/// Whether the columns span several distributed blocks.
inline bool is_of_several_blocks(const dist::BlockCyclic& distributed, ColumnRange columns) {
  return columns.begin.value / distributed.block < (columns.end.value - 1) / distributed.block;
}

/// The panels of a factorisation of an m x n matrix, of `block` columns each; the last one may have fewer.
struct Panels {
  Index m = 0, n = 0, block = 1;

  Index count() const { return (std::min(m, n) + block - 1) / block; }
  Index first_of(Index k) const { return k * block; }
  Index end_of(Index k) const { return std::min({first_of(k + 1), m, n}); }
  Index width_of(Index k) const { return end_of(k) - first_of(k); }
  /// The columns of panel k, and all behind them.
  ColumnRange columns_of(Index k) const { return {{first_of(k)}, {end_of(k)}}; }
  ColumnRange columns_behind(Index k) const { return {{end_of(k)}, {n}}; }
  /// Share of the work that is done before panel k.
  double share_before(Index k) const {
    const double left = 1 - static_cast<double>(k) / static_cast<double>(count());
    return 1 - left * left * left;
  }
};

}  // namespace overlapack::dense
