#pragma once
#include "base/arena.hpp"
#include "base/staircase_view.hpp"
#include "comm/message.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"
#include "sparse/multifrontal/front/ledger.hpp"
#include "sparse/multifrontal/front/low_rank_factors.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace overlapack::sparse::multifrontal {

/// Where the numbers of a front or strip stand in this rank's file of factors (FactorFile).
struct FilePosition {
  std::int32_t segment = -1;  ///< -1: factors are in memory
  std::size_t offset = 0;     ///< bytes from the start of the segment
};

/// One front, from its assembly until the end of the solves. S = summed: its fully summed variables, first those that
/// its children delayed, then its own; m = border; e = eliminated <= S.
///   panel  (S + m) x S   LU: [D^T; U12^T], after elimination U11^T (unit lower) \ L11^T (upper) in e x e, U12^T below,
///                        and the L entries of the delayed rows in its columns e..S-1
///                        LDL^T, Cholesky: [D; L21], lower part of D
///   lower  m x S         LU: L21
///   block  m x m         the contribution block C, until the parent has taken it. Symmetric: its lower part in panels, or
///                        the whole square if it travels in pieces. A compressed front has tiles if they take less
/// row_name and col_name are permuted variable numbers: pivots in the order of elimination, then the delayed ones
/// (one array where the matrix is symmetric).
template <class T>
struct Front {
  Index number = -1;
  Index summed = 0, border = 0, eliminated = 0;
  T* panel_data = nullptr;
  T* lower_data = nullptr;
  T* d = nullptr;      ///< LDL^T: the diagonal of D, e values
  T* d_off = nullptr;  ///< LDL^T: d_off[k] != 0 couples pivots k and k + 1
  std::int32_t* row_name = nullptr;
  std::int32_t* col_name = nullptr;
  HeldBlock block;
  Index block_width = 0;  ///< columns of each panel of `block`
  /// Place of panel, L21 and D in the file; the pointers to them are null while they are in the file alone.
  FilePosition position;
  /// The factors of a compressed front, else null. While the front is eliminated, panel and L21 stand in
  /// low_rank->dense.
  std::unique_ptr<LowRankFactors<T>> low_rank;
  /// Index of C's first entry in the stack of small fronts (FrontSpace::stack), and then `block` is empty;
  /// -1: not there.
  Index on_stack = -1;

  /// Number of entries of panel, L21 and D, one after the other as set_pointers lays them out.
  Index entries(FactorKind kind, bool has_lower) const {
    return panel_entries() + (has_lower ? padded_ld(border) * summed : 0) +
           (kind == FactorKind::ldlt ? 2 * summed : 0);
  }
  /// Points panel, L21 and D into `numbers`, which has room for `entries` of them.
  void set_pointers(T* numbers, FactorKind kind, bool has_lower) {
    panel_data = numbers;
    T* const rest = numbers + panel_entries();
    if (has_lower) lower_data = rest;
    if (kind != FactorKind::ldlt) return;
    d = rest;
    d_off = rest + summed;
  }
  /// The numbers are no longer in memory.
  void clear_pointers() { panel_data = lower_data = d = d_off = nullptr; }

  /// Gives panel and L21 of a compressed front back: its blocks are all that is left.
  void end_use_of_dense() {
    panel_data = lower_data = nullptr;
    low_rank->dense.give_back();
  }
  /// Entry k on the diagonal of the factor in the panel.
  T pivot(Index k) const { return low_rank ? low_rank->pivot(k) : panel()(k, k); }

  Index order() const { return summed + border; }
  Index delayed() const { return summed - eliminated; }
  MatrixView<T> panel() const { return {panel_data, order(), summed, padded_ld(order())}; }
  MatrixView<T> L21() const { return {lower_data, border, summed, padded_ld(border)}; }
  StaircaseView<T> contribution() const { return {block.as<T>(), border, block_width}; }

 private:
  /// Entries of the panel, rounded up to whole cache lines.
  Index panel_entries() const {
    constexpr Index line = 64 / static_cast<Index>(sizeof(T));
    return (padded_ld(order()) * summed + line - 1) / line * line;
  }
};

/// Bytes of the names of a front's pivots in an arena.
inline std::size_t name_bytes(FactorKind kind, Index pivots) {
  const std::size_t list = Arena::room_for(static_cast<std::size_t>(pivots) * sizeof(std::int32_t));
  return kind == FactorKind::lu ? 2 * list : list;
}

/// Bytes of the factors of a front in an arena.
/// order, pivots: without what children delayed; has_lower: LU, and L21 is here
inline std::size_t front_bytes(FactorKind kind, Index order, Index pivots, std::size_t scalar_bytes,
                               bool has_lower) {
  const auto room = [](Index count, std::size_t bytes) {
    return Arena::room_for(static_cast<std::size_t>(count) * bytes);
  };
  std::size_t bytes = room(padded_ld(order) * pivots, scalar_bytes) + name_bytes(kind, pivots);
  if (kind == FactorKind::ldlt) bytes += 2 * room(pivots, scalar_bytes);
  return bytes +
         (kind == FactorKind::lu && has_lower ? room(padded_ld(order - pivots) * pivots, scalar_bytes) : 0);
}

/// What a child gives to its parent, wherever it comes from: views on a local front, or on messages.
/// d = delayed, m = border; (c, r) below: column c, row r of the child's matrix, as in Front::panel.
template <class T>
struct Contribution {
  Index front = -1;
  Index delayed = 0, border = 0;
  const std::int32_t* row_name = nullptr;           ///< d, of the delayed rows
  const std::int32_t* col_name = nullptr;           ///< d, of the delayed columns
  MatrixView<const T> square;                       ///< d x d  (delayed c, delayed r)
  MatrixView<const T> rows;                         ///< m x d  (border c, delayed r)
  MatrixView<const T> cols;                         ///< m x d  (border r, delayed c); LU only
  StaircaseView<const T> block;                     ///< m x m  (border r, border c); null if it is in `tiles`
  std::span<const ContributionTile<T>> tiles = {};  ///< the same block in tiles, or none
};

/// The contribution of a front of this rank, as views. If C is on the stack of small fronts, `block` is left
/// to the caller.
template <class T>
Contribution<T> contribution_of(const Front<T>& front) {
  const Index e = front.eliminated, d = front.delayed(), m = front.border;
  Contribution<T> c{front.number, d,  m,  front.row_name + e,  front.col_name + e,
                    {},           {}, {}, front.contribution()};
  if (front.low_rank && !front.low_rank->contribution.empty() && c.block.data != nullptr) {
    c.tiles = front.low_rank->contribution;
    c.block = {};
  }
  if (d > 0 && front.low_rank) {
    const MatrixView<T> rest = front.low_rank->delayed_panel;
    c.square = rest.block(0, 0, d, d);
    c.rows = rest.block(d, 0, m, d);
    c.cols = front.low_rank->delayed_lower;
  } else if (d > 0) {
    c.square = front.panel().block(e, e, d, d);
    c.rows = front.panel().block(front.summed, e, m, d);
    if (front.lower_data != nullptr) c.cols = front.L21().block(0, e, m, d);
  }
  return c;
}

}  // namespace overlapack::sparse::multifrontal
