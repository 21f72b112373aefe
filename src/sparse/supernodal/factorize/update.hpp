#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/factors/panels.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
struct NodesPlan;
}  // namespace overlapack::sparse

namespace overlapack::sparse::supernodal {

/// A(I, J) -= L(I, K) U(K, J) on this rank: blocks with I >= J are in the panels of L, the others in those of U^T. The same code
/// serves both halves, since U is the L of B^T:
///
///   panel of node J  -=  tall(from J on) narrow(J)^T,     tall, narrow = L(:, K), U(K, :)^T or the other way round
///
/// in tiles: products in work space, scattered to their positions in the panel; or straight into the panel where a tile's rows and
/// columns are contiguous in it.
template <class T>
class Update {
 public:
  /// polls: poll between slices
  Update(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels, const FactorPlan& plan, bool polls,
         FactorStats& stats);

  /// Update block column j alone: its square and L.
  void update_column(Index k, Index j, MatrixView<const T> L, MatrixView<const T> U);
  /// Update everything but the block columns `done`.
  void update_all_but(Index k, std::span<const Index> done, MatrixView<const T> L, MatrixView<const T> U);

 private:
  /// Rows tall_begin .. tall_end of one list by the segments first .. last of the other.
  struct Tile {
    bool is_lower;
    Index first, last, tall_begin, tall_end;
  };
  struct Side {
    NodePart part;
    MatrixView<const T> values;
  };

  const Side& tall(bool is_lower) const { return is_lower ? lower_ : upper_; }
  const Side& narrow(bool is_lower) const { return is_lower ? upper_ : lower_; }
  Index tall_from(bool is_lower, std::int32_t node) const;
  void begin_node(Index k, MatrixView<const T> L, MatrixView<const T> U);
  void add_tiles(bool is_lower, Index first, Index last);
  Index columns_of(const Tile& tile) const;
  void run_tiles(Index k);
  void run(const Tile& tile);
  void find_tall_positions(const Tile& tile, std::int32_t node, Index begin);
  void find_column_positions(const NodePart& by, const Segment& segment);

  comm::Rank& rank_;
  const NodeGrid& nodes_;
  RankPanels<T>& panels_;
  const NodesPlan& plan_;
  double slice_flops_;
  bool polls_;
  FactorStats& stats_;
  Side lower_, upper_;  ///< of the current node
  std::vector<Tile> tiles_;
  std::vector<T> work_;
  std::vector<std::int32_t> position_, column_position_;
};

}  // namespace overlapack::sparse::supernodal
