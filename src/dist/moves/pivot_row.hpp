#pragma once
#include "comm/message.hpp"
#include "overlapack/scalar.hpp"

#include <vector>

namespace overlapack::dist {

/// The best pivot of a column that is known so far, without its row.
template <class T>
struct PivotCandidate {
  Real<T> size = -1;  ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;     ///< global; -1: no row was offered yet
  T value = 0;

  /// Of equal sizes the first row; a row is better than none.
  bool is_better_than(const PivotCandidate& other) const {
    if (row < 0 || other.row < 0) return row >= 0;
    return size > other.size || (size == other.size && row < other.row);
  }
};

/// The best pivot that is known so far, and the row whose position it takes.
template <class T>
struct PivotRow {
  Real<T> size = -1;         ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;            ///< global; -1: no row was offered yet
  std::vector<T> entries;    ///< of that row
  std::vector<T> displaced;  ///< of the row whose position it takes; empty where they are not known yet
};

/// The same as a message; and best <- the better one of it and what came in a message.
template <class T>
comm::Body packed_pivot(const PivotRow<T>& pivot);
template <class T>
void take_better(PivotRow<T>& best, const comm::Body& offered);

}  // namespace overlapack::dist
