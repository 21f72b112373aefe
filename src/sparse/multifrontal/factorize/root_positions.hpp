#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Where a child's contribution stands in a root on a grid: d + m rows and columns, the d delayed variables
/// first. The root has what its children delayed, child after child, and then its own pivots, so the
/// positions ascend.
struct RootPositions {
  std::vector<std::int32_t> position;           ///< row of the child -> row of the root
  std::vector<std::vector<std::int32_t>> rows;  ///< process row -> the child's rows that it has, ascending
  std::vector<std::vector<std::int32_t>> cols;  ///< process column -> the same of columns
};

/// Numbers of pivots that children of the root delayed: those before one child, this child, all children.
struct DelayedToRoot {
  Index before = 0, mine = 0, all = 0;
};

/// Cost    d + m
RootPositions root_positions(const AssemblyTree& tree, Index child, DelayedToRoot delayed,
                             const dist::BlockCyclic& rows, const dist::BlockCyclic& cols);

/// Those of an ascending list that are in [first, end).
std::span<const std::int32_t> entries_between(const std::vector<std::int32_t>& list, Index first, Index end);

/// The rows of an ascending list that column j has: all of them, or in a lower triangle those from row j on.
inline std::span<const std::int32_t> below(std::span<const std::int32_t> rows, Index j, bool is_lower) {
  if (!is_lower) return rows;
  return rows.subspan(static_cast<std::size_t>(std::ranges::lower_bound(rows, j) - rows.begin()));
}

}  // namespace overlapack::sparse::multifrontal
