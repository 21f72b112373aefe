#pragma once
#include "sparse/supernodal/layout/node_grid.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Senders of partial sums in the solves.
struct SolveLists {
  /// Of one half of the factors: L by its block columns, or U by its block rows.
  struct Half {
    /// of nodes whose square I own: process columns (rows) with a block of L (U) of that node, in their order
    std::span<const std::int32_t> givers(Index node) const {
      return {giver.data() + start[node], static_cast<std::size_t>(start[node + 1] - start[node])};
    }
    std::vector<Index> start;
    std::vector<std::int32_t> giver;  ///< all lists one after the other
    /// by node: the last of my panels that has it; -1: none
    std::vector<std::int32_t> last;
  };
  Half lower, upper;

  const Half& half(bool is_lower) const { return is_lower ? lower : upper; }
};

SolveLists solve_lists(const NodeGrid& nodes, const NodeStructure& structure);

}  // namespace overlapack::sparse::supernodal
