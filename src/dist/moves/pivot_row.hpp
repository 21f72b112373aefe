#pragma once
#include "comm/message.hpp"
#include "overlapack/scalar.hpp"

#include <vector>

namespace overlapack::dist {

/// The best pivot of a column found so far, without its row.
template <class T>
struct PivotCandidate {
  Real<T> size = -1;  ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;     ///< global; -1: no row was offered yet
  T value = 0;

  /// The larger size is better; of equal sizes, the smaller row; any row is better than none.
  bool is_better_than(const PivotCandidate& other) const {
    if (row < 0 || other.row < 0) return row >= 0;
    return size > other.size || (size == other.size && row < other.row);
  }
};

/// The best pivot found so far with the entries of its row, and the displaced row.
template <class T>
struct PivotRow {
  Real<T> size = -1;         ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;            ///< global; -1: no row was offered yet
  std::vector<T> entries;    ///< entries of that row
  std::vector<T> displaced;  ///< entries of the displaced row; empty until they are known
};

/// A PivotRow as a message.
template <class T>
comm::Body packed_pivot(const PivotRow<T>& pivot);
/// best <- the better one of best and a received PivotRow; takes over its displaced row if best has none.
template <class T>
void keep_better_pivot_row(PivotRow<T>& best, const comm::Body& offered);

}  // namespace overlapack::dist
