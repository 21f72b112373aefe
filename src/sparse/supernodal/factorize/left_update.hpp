#pragma once
#include "comm/rank.hpp"
#include "kernels/product/common_width.hpp"
#include "kernels/product/cost.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/factors/panels.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
struct NodesPlan;
}  // namespace overlapack::sparse

namespace overlapack::sparse::supernodal {

/// Left-looking updates for a process that has all nodes: just before node J is eliminated, block column and
/// block row J get all updates by earlier nodes. The updated panel stays in the cache, and positions of
/// variables are looked up in one list.
template <class T>
class LeftUpdate {
 public:
  LeftUpdate(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels, const FactorPlan& plan,
             FactorStats& stats);

  /// A(J:N, J) -= L(J:N, K) U(K, J),  A(J, J+1:N) -= L(J, K) U(K, J+1:N), K < J. Called for J = 0, 1, ...; border nodes are
  /// updated, but update none.
  void update(Index j);

 private:
  /// Linked lists, one for each node J, of the nodes that update J next. A node K is in the list of the next
  /// node in its own list of rows (or columns), and moves on when that node was updated.
  struct Givers {
    std::vector<std::int32_t> first, next;  ///< chains, by the node to update; -1: end
    std::vector<std::int32_t> at;           ///< next segment of each node's list

    void add(Index k, const NodePart& list) {
      if (at[k] >= static_cast<Index>(list.segments.size())) return;
      std::int32_t& head = first[list.segments[at[k]].node];
      next[k] = head;
      head = static_cast<std::int32_t>(k);
    }
  };

  /// The nodes that update panels of L, linked by their columns, or panels of U, linked by their rows.
  const Givers& givers(bool is_lower) const { return is_lower ? columns_ : rows_; }
  Givers& givers(bool is_lower) { return is_lower ? columns_ : rows_; }
  NodePart tall(bool is_lower, Index k) const { return is_lower ? nodes_.rows(k) : nodes_.columns(k); }
  Index tall_from(bool is_lower, Index j, Index k) const;
  kernels::Cost cost_of_half(bool is_lower, Index j, kernels::CommonWidth& widths) const;
  void run_half(bool is_lower, Index j);
  void run(bool is_lower, Index j, Index k);
  void chain_to_next_node(bool is_lower, Index j);

  comm::Rank& rank_;
  const NodeGrid& nodes_;
  RankPanels<T>& panels_;
  const NodesPlan& plan_;
  FactorStats& stats_;
  Givers rows_, columns_;
  PositionMap map_;
  std::vector<std::int32_t> row_position_, column_position_;
  std::vector<T> work_;
};

}  // namespace overlapack::sparse::supernodal
