#pragma once
#include "comm/collective/collective.hpp"

#include <optional>
#include <vector>

namespace overlapack::comm::collective {

/// Sums over all ranks for which nobody waits: contributions go up a binary tree, the result comes down it, each step in
/// whatever look finds the messages there. All ranks take part in the same rounds in the same order; in between there are
/// no other collectives.
/// Cost    a round takes at least 2 log2 p looks; one message up and one down a rank
/// Source  paper 5, section 3.1.2
class TreeSum {
 public:
  explicit TreeSum(Rank& rank) : rank_(rank), place_(tree_place(rank.rank(), rank.size(), 0)) {}

  bool is_under_way() const { return is_under_way_; }
  /// Begin the next round with my part.
  /// Shapes  mine: the same length on all ranks
  void start(std::vector<double> mine);
  /// The sum, once it has reached me; nothing before, or when no round is under way. Never blocks; does not poll.
  std::optional<std::vector<double>> look();

 private:
  void send(int to, const std::vector<double>& values);

  Rank& rank_;
  TreePlace place_;
  bool is_under_way_ = false;
  bool is_sent_up_ = false;
  std::vector<double> sum_;
  Recv from_left_, from_right_, from_parent_;
};

}  // namespace overlapack::comm::collective
