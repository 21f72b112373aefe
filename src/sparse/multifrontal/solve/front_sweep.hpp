#pragma once
#include "base/random.hpp"
#include "comm/task_source.hpp"
#include "sparse/factors/sweep_plan.hpp"
#include "sparse/multifrontal/solve/front_triangle.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The substitution in one large front as tasks: L y = b of its pivots and what that subtracts from the other rows, or L^T x = y from the
/// last pivot to the first. Lines are in blocks. A block takes what other blocks give it in one order, so that numbers do not depend on
/// the order of tasks; a block of pivots is solved then.
template <class T>
class FrontSweep final : public comm::TaskSource {
 public:
  enum class Way : std::uint8_t { forward, backward };

  /// lines: of pivots, delayed and border rows; forward, those without a pivot are set
  FrontSweep(FrontTriangle<T> triangle, Way way, MatrixView<T> lines, const SweepPlan& plan);

  std::size_t ready() const override { return ready_.size(); }
  Task take() override;
  void run(const Task& task) override;
  void done(const Task& task) override;
  bool is_over() const override { return left_ == 0; }

 private:
  enum Kind : std::int32_t { subtract, solve };
  struct Block {
    std::int32_t at = 0;  ///< steps that it has taken
    bool is_taken = false, is_over = false;
  };

  bool is_pivot(Index block) const { return block < pivots_; }
  /// How many blocks this one is given something by, and the one of a step.
  Index steps_of(Index block) const;
  Index source_of(Index step) const;
  bool is_there(Index source) const { return !is_pivot(source) || blocks_[source].is_over; }
  MatrixView<T> lines_of(Index block) const {
    return lines_.block(0, start_[block], lines_.rows, start_[block + 1] - start_[block]);
  }
  void push_if_ready(Index block);

  const FrontTriangle<T> triangle_;
  const bool is_backward_;
  const MatrixView<T> lines_;
  const Index most_steps_;
  std::vector<Index> start_;  ///< of blocks: of pivots, then of the other rows
  Index pivots_ = 0;          ///< blocks
  std::vector<Block> blocks_;
  std::vector<std::pair<Index, Index>>
      ready_;       ///< priority, block; a heap: those on which most others wait first
  Random shuffle_;  ///< for tests
  const bool is_shuffled_;
  Index left_ = 0;  ///< blocks that are not over
};

}  // namespace overlapack::sparse::multifrontal
