#pragma once
#include "base/arena.hpp"
#include "kernels/low_rank/low_rank.hpp"
#include "sparse/multifrontal/front/contribution_tiles.hpp"
#include "sparse/multifrontal/front/ledger.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// A block of a panel's rows, behind its pivots.
template <class T>
struct LowRankBlock {
  Index top = 0;  ///< the position of its first row in the front
  kernels::LowRank<T> of;

  Index end() const { return top + of.rows(); }
};

/// Some pivots of a compressed front, with the blocks of L and U behind them. The pivots stand at positions
/// first .. first + pivots - 1. They were chosen among the variables at first .. first + width - 1, which
/// changed places for that. Blocks never change once they are made: their rows have the order of the time of
/// this panel, before later panels exchange theirs.
template <class T>
struct LowRankPanel {
  Index first = 0, width = 0, pivots = 0;
  /// e x e. LU: U11^T (unit lower) \ L11^T (upper); LDL^T, Cholesky: L11
  MatrixView<T> square = {};
  /// Exchanges among the `width` variables: position i has what was at position order[i], both counted from
  /// `first`; null: nothing changed places.
  std::int32_t* row_order = nullptr;
  std::int32_t* col_order = nullptr;  ///< LU; else null
  /// Rows of the panel below the pivots: U^T of LU, L of LDL^T and Cholesky.
  std::vector<LowRankBlock<T>> below = {};
  std::vector<LowRankBlock<T>> beside = {};  ///< LU: L, of the fully summed rows and the border

  Index end() const { return first + width; }
  Index behind() const { return first + pivots; }
};

/// The factors of a front in blocks, some of them of low rank.
template <class T>
struct LowRankFactors {
  std::vector<LowRankPanel<T>> panels;
  HeldBlock dense;  ///< panel and L21 in full, while the front is eliminated
  // Copies, in the arena, of the columns of panel and L21 of the delayed pivots (positions e ..), for the
  // parent
  MatrixView<T> delayed_panel, delayed_lower;  ///< (d + m) x d, m x d
  /// Views on Front::block where C is in tiles; else none.
  std::vector<ContributionTile<T>> contribution;

  /// Entry of pivot k on the diagonal of its panel's square.
  T pivot(Index k) const {
    const auto panel = std::upper_bound(panels.begin(), panels.end(), k,
                                        [](Index position, const auto& p) { return position < p.first; }) -
                       1;
    return panel->square(k - panel->first, k - panel->first);
  }
  /// Of all blocks behind the squares: entries that are stored, their bytes, and the bytes of the same blocks
  /// in full.
  struct Room {
    Index entries = 0, bytes = 0, full_bytes = 0;
  };
  Room of_blocks() const {
    Room all;
    const auto add = [&](const std::vector<LowRankBlock<T>>& blocks) {
      for (const LowRankBlock<T>& block : blocks) {
        all.entries += block.of.entries();
        all.bytes += static_cast<Index>(kernels::stored_bytes<T>(kernels::stored_shape(block.of)));
        all.full_bytes += block.of.rows() * block.of.cols() * static_cast<Index>(sizeof(T));
      }
    };
    for (const LowRankPanel<T>& panel : panels) {
      add(panel.below);
      add(panel.beside);
    }
    return all;
  }
  /// Numbers that the solves read, D not counted.
  Index entries(bool is_lu) const {
    Index all = of_blocks().entries;
    for (const LowRankPanel<T>& panel : panels)
      all += is_lu ? panel.pivots * panel.pivots : panel.pivots * (panel.pivots + 1) / 2;
    return all;
  }
};

}  // namespace overlapack::sparse::multifrontal
