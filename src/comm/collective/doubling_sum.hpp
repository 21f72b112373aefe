#pragma once
#include "comm/collective/async_sum.hpp"

namespace overlapack::comm::collective {

/// All-reduce by recursive doubling: in step s each rank exchanges its sum with the rank whose number differs in bit s. If p is no power
/// of two, each rank beyond the largest power of two first sends its part to a partner below, which sends the result back at the end.
/// Polls and waits advance the steps, so that a round ends as soon as the network allows, however rarely sum_if_done() is called.
/// Cost    log2 p steps, in each of which a rank sends one message and receives one; TreeSum needs at least 2 log2 p calls of
///         sum_if_done() instead
/// Source  Thakur, Rabenseifner, Gropp 2005, section 4.1
class DoublingSum final : public AsyncSum {
 public:
  explicit DoublingSum(Rank& rank);

  bool is_under_way() const override { return is_under_way_; }
  void start(std::vector<double> mine) override;
  std::optional<std::vector<double>> sum_if_done() override;

 private:
  /// give: send my sum to the peer; add: receive the peer's part and add it; exchange: both; take: receive the result.
  enum class What : std::uint8_t { give, add, exchange, take };
  struct Step {
    int peer = 0;
    What what = What::exchange;
  };
  void advance();
  bool finish_step(Step step, Recv& receive);

  Rank& rank_;
  std::vector<Step> steps_;
  std::size_t step_ = 0;    ///< index of the present step
  bool has_begun_ = false;  ///< whether the send of the present step, if it has one, was started
  bool is_under_way_ = false;
  bool is_advancing_ = false;
  std::vector<double> sum_;
  std::vector<Recv> receives_;  ///< by step
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm::collective
