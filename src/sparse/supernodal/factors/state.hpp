#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/factors/panels.hpp"
#include "sparse/supernodal/layout/supernodal_layout.hpp"

#include <utility>
#include <vector>

namespace overlapack::sparse::supernodal {

/// A rank's part of supernodal factors.
template <class T>
struct NodeState {
  SupernodalLayout layout;
  RankPanels<T> subtrees, top;  ///< of the two parts of the layout
  EntryStore<T> entries;
  std::vector<T*> entry_position;  ///< address of each entry of B on this rank, in its panel
  FactorStats stats;
  Index rhs_block = 1;

  /// On rank 0: position in B -> row (or column) of A; row (or column) of A -> its scale.
  struct Side {
    std::vector<Index> number;
    std::vector<double> scale;
  };
  Side rows, columns;

  explicit NodeState(SupernodalLayout of) : layout(std::move(of)) {}

  /// Visits either part with its panels.
  template <class Visit>
  void for_each_part(Visit&& visit) const {
    visit(layout.subtrees, subtrees);
    visit(layout.top, top);
  }
};

/// w x w, L_KK \ U_KK of a node whose square is here.
template <class T>
MatrixView<const T> square_of(const RankPanels<T>& panels, Index k) {
  const MatrixView<const T> panel = panels.lower[k].values;
  return panel.block(0, 0, panel.cols, panel.cols);
}

}  // namespace overlapack::sparse::supernodal
