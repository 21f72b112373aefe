#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/supernodal/factors/panels.hpp"
#include "sparse/supernodal/layout/border_lists.hpp"

#include <vector>

namespace overlapack::sparse::supernodal {

/// Updates of the nodes above the subtrees by the subtrees: A(I, J) -= L(I, K) U(K, J) for all K of one
/// rank's subtrees, with I and J above. A rank sends all of its updates for another rank in one message.
template <class T>
class BorderSums {
 public:
  /// Posts the receives: messages arrive while this rank factorises its own subtrees.
  BorderSums(comm::Rank& rank, const BorderLists& lists, FactorStats& stats);

  /// Sends the border panels of `subtrees`, which are not needed afterwards.
  void send(const RankPanels<T>& subtrees);
  /// Adds all ranks' updates in rank order, for the same bits in each run. Blocks until all messages are received and sent.
  void add_to_panels(RankPanels<T>& top);

  /// Bytes of all messages that this rank sends, of its updates for itself, and of the messages that it
  /// receives, unless those are the memory of their senders.
  double held_bytes() const { return held_; }

 private:
  comm::Body packed(const RankPanels<T>& subtrees, std::span<const BorderPiece> pieces);
  void add(const comm::Body& body, std::span<const BorderPiece> pieces, RankPanels<T>& top);

  comm::Rank& rank_;
  const BorderLists& lists_;
  FactorStats& stats_;
  std::vector<comm::Recv> receives_;  ///< by rank
  std::vector<comm::Send> sends_;
  comm::Body own_;
  double held_ = 0;
};

}  // namespace overlapack::sparse::supernodal
