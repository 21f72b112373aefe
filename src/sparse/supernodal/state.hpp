#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/panels.hpp"
#include "sparse/supernodal/solve_lists.hpp"

#include <utility>
#include <vector>

namespace overlapack::sparse {

/// What a rank keeps of supernodal factors.
template <class T>
struct NodeState {
  int me;
  NodeGrid nodes;
  NodePanels<T> panels;
  SolveLists lists;
  EntryStore<T> entries;
  std::vector<T*> entry_place;  ///< of each entry of B on this rank, in its panel
  FactorStats stats;
  Index rhs_block = 1;

  /// Rank 0: rows or columns of A by their places in B, and their scales by number.
  struct Side {
    std::vector<Index> number;
    std::vector<double> scale;
  };
  Side rows, columns;

  NodeState(const NodeStructure& structure, dist::ProcessGrid grid, int rank)
      : me(rank), nodes(structure, std::move(grid), rank), lists(solve_lists(nodes, structure)) {}

  /// Of a file, until unpack fills it.
  NodeState(dist::ProcessGrid grid, int rank) : me(rank), nodes(std::move(grid), rank) {}

  /// w x w, L_KK \ U_KK: where owns_diagonal(k).
  MatrixView<const T> square(Index k) const {
    return panels.lower[k].values.block(0, 0, nodes.width(k), nodes.width(k));
  }
};

}  // namespace overlapack::sparse
