#pragma once
#include "comm/collective/async_sum.hpp"
#include "comm/collective/collective.hpp"

namespace overlapack::comm::collective {

/// All-reduce over a binary tree: partial sums go up, the result comes down. Only sum_if_done() advances a round: a rank adds and
/// forwards in the first call that finds the messages of its children or its parent.
/// Cost    a round takes at least 2 log2 p calls one after the other; one message up and one down a rank
/// Source  paper 5, section 3.1.2
class TreeSum final : public AsyncSum {
 public:
  explicit TreeSum(Rank& rank) : rank_(rank), position_(tree_position(rank.rank(), rank.size(), 0)) {}

  bool is_under_way() const override { return is_under_way_; }
  void start(std::vector<double> mine) override;
  std::optional<std::vector<double>> sum_if_done() override;

 private:
  void send(int to, const std::vector<double>& values);

  Rank& rank_;
  TreePosition position_;
  bool is_under_way_ = false;
  bool is_sent_up_ = false;
  std::vector<double> sum_;
  Recv from_left_, from_right_, from_parent_;
};

}  // namespace overlapack::comm::collective
