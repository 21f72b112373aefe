#pragma once
#include "sparse/supernodal/layout/node_grid.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Who sends partial sums to whom in the solves.
struct SolveLists {
  /// For one half of the factors: L by its block columns, or U by its block rows.
  struct Half {
    /// For a node whose square this rank owns: the process columns (U: rows) that have a block of L (U) in
    /// the node's rows (columns), ascending.
    std::span<const std::int32_t> givers(Index node) const {
      return {giver.data() + start[node], static_cast<std::size_t>(start[node + 1] - start[node])};
    }
    std::vector<Index> start;
    std::vector<std::int32_t> giver;  ///< all lists one after the other
    /// Node -> the last of this rank's panels that has rows (columns) of the node, after which its sum is
    /// complete; -1: none.
    std::vector<std::int32_t> last;
  };
  Half lower, upper;

  const Half& half(bool is_lower) const { return is_lower ? lower : upper; }
};

SolveLists solve_lists(const NodeGrid& nodes, const NodeStructure& structure);

}  // namespace overlapack::sparse::supernodal
