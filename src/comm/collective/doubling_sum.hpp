#pragma once
#include "comm/collective/async_sum.hpp"

namespace overlapack::comm::collective {

/// Recursive doubling: in step s each rank exchanges its sum with the one whose number differs in bit s. Where p is no power of
/// two, each rank beyond the largest power first sends its part to a partner below it, which sends the result back.
/// Polls and waits advance the steps, so a round ends as soon as the network allows, whatever the number of sum_if_done() calls.
/// Cost    log2 p steps, one message out and one in a rank and step; the tree has at least 2 log2 p looks
/// Source  Thakur, Rabenseifner, Gropp 2005, section 4.1
class DoublingSum final : public AsyncSum {
 public:
  explicit DoublingSum(Rank& rank);

  bool is_under_way() const override { return is_under_way_; }
  void start(std::vector<double> mine) override;
  std::optional<std::vector<double>> sum_if_done() override;

 private:
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
  bool has_begun_ = false;  ///< the present step's send was started
  bool is_under_way_ = false;
  bool is_advancing_ = false;
  std::vector<double> sum_;
  std::vector<Recv> receives_;  ///< by step
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm::collective
