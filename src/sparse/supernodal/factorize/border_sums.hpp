#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/factors/panels.hpp"
#include "sparse/supernodal/layout/border_lists.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// What the subtrees of each rank add to the nodes above them, in one message a pair of ranks: A(I, J) -= L(I, K) U(K, J) for all
/// K of these subtrees, I and J above.
template <class T>
class BorderSums {
 public:
  /// Posts the receives: messages arrive while this rank is in its own subtrees.
  BorderSums(comm::Rank& rank, const BorderLists& lists, FactorStats& stats);

  /// Of panels laid out for the border, which are not needed afterwards.
  void send(const NodePanels<T>& subtrees);
  /// In the order of ranks, so that the same ranks give the same bits. Blocks until all have come and gone.
  void add_to(NodePanels<T>& top);

  /// Messages on their way out and in, and what is my own.
  double held_bytes() const { return held_; }

 private:
  comm::Body packed(const NodePanels<T>& subtrees, std::span<const BorderPiece> pieces);
  void add(const comm::Body& body, std::span<const BorderPiece> pieces, NodePanels<T>& top);

  comm::Rank& rank_;
  const BorderLists& lists_;
  FactorStats& stats_;
  std::vector<comm::Recv> receives_;  ///< by rank
  std::vector<comm::Send> sends_;
  comm::Body own_;
  double held_ = 0;
};

}  // namespace overlapack::sparse::supernodal
