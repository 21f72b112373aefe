#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/factors/state.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Entries of B^{-1} that somebody wants, the same on every rank: entry k is that of the unknown (column of B) unknown[k] and the
/// equation (row of B) equation[k]. The inverse has the transposed pattern of the factors: a front holds the entry whose unknown and
/// equation have both a position in it, and the lowest such front is where one of them is eliminated.
struct WantedEntries {
  std::vector<std::int32_t> unknown, equation;
  std::vector<std::int32_t> front;  ///< that holds the entry; -1: none does, or the entry is not worth it
  std::vector<char> is_needed;      ///< front -> is there such an entry in its subtree?

  Index size() const { return static_cast<Index>(front.size()); }
};

/// Collective; rows and columns of A^{-1} on rank 0.
template <class T>
WantedEntries wanted_entries(comm::Rank& rank, FactorState<T>& state, std::span<const Index> rows,
                             std::span<const Index> cols);

/// Leaves out (front = -1) entries in columns that must be solved for anyway, since no front holds some other
/// entry of the column. Leaves out all entries if the fronts would be more work than a solve of `solve_flops`
/// for each column.
template <class T>
void drop_dearer_than_solves(const Structure& structure, WantedEntries& wanted, double solve_flops);

}  // namespace overlapack::sparse::multifrontal
