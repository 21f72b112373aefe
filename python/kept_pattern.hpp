#pragma once
#include "overlapack/_kept_call.h"
#include "overlapack/error.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace overlapack::python {

/// The distinct positions of a call's entries, and the position of each entry.
struct KeptPattern {
  std::vector<Index> start{0}, row;  ///< compressed columns, rows ascending, each once
  std::vector<Index> slot;           ///< position of entry k; -1: the entry is ignored

  /// The values of one matrix, with those at one position added up. data: one value for each entry
  template <class T>
  std::vector<T> summed(const T* data) const {
    std::vector<T> values(row.size());
    for (std::size_t k = 0; k < slot.size(); ++k)
      if (slot[k] >= 0) values[static_cast<std::size_t>(slot[k])] += data[k];
    return values;
  }
};

/// The row or the column of entry k.
inline Index index_at(const olp_kept_call& call, const void* numbers, Index k) {
  return call.index_bytes == 8 ? static_cast<const std::int64_t*>(numbers)[k]
                               : static_cast<const std::int32_t*>(numbers)[k];
}

/// The items sorted by their keys, stable, by counting. Keys are from 0 to count - 1.
template <class Key>
std::vector<Index> sorted_by(const std::vector<Index>& items, Index count, Key&& key) {
  std::vector<Index> next(static_cast<std::size_t>(count) + 1);
  for (const Index item : items) ++next[static_cast<std::size_t>(key(item)) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Index> sorted(items.size());
  for (const Index item : items)
    sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(key(item))]++)] = item;
  return sorted;
}

/// The numbers of the entries that are not ignored.
/// Errors  BadInput: an entry is outside the matrix
inline std::vector<Index> counted_entries(const olp_kept_call& call) {
  std::vector<Index> counted;
  for (Index k = 0; k < call.entries; ++k) {
    const Index i = index_at(call, call.row, k), j = index_at(call, call.col, k);
    if (i == call.n && j == call.n) continue;
    if (i < 0 || j < 0 || i >= call.n || j >= call.n)
      throw Error(Status::bad_input,
                  "entry " + std::to_string(k) + " of A is at (" + std::to_string(i) + ", " +
                      std::to_string(j) + "), but A is " + std::to_string(call.n) + " x " +
                      std::to_string(call.n) +
                      "; give positions inside, and an indptr that begins with 0 and never falls");
    counted.push_back(k);
  }
  return counted;
}

inline KeptPattern pattern_of(const olp_kept_call& call) {
  const auto row = [&](Index k) { return index_at(call, call.row, k); };
  const auto col = [&](Index k) { return index_at(call, call.col, k); };
  KeptPattern pattern;
  pattern.slot.assign(static_cast<std::size_t>(call.entries), -1);
  pattern.start.assign(static_cast<std::size_t>(call.n) + 1, 0);
  Index last_row = -1, last_col = -1;
  for (const Index k : sorted_by(sorted_by(counted_entries(call), call.n, row), call.n, col)) {
    if (row(k) != last_row || col(k) != last_col) {
      pattern.row.push_back(last_row = row(k));
      ++pattern.start[static_cast<std::size_t>(last_col = col(k)) + 1];
    }
    pattern.slot[static_cast<std::size_t>(k)] = static_cast<Index>(pattern.row.size()) - 1;
  }
  for (std::size_t j = 1; j < pattern.start.size(); ++j) pattern.start[j] += pattern.start[j - 1];
  return pattern;
}

}  // namespace overlapack::python
