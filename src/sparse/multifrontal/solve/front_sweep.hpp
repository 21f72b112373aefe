#pragma once
#include "base/random.hpp"
#include "comm/task_source.hpp"
#include "sparse/factors/sweep_plan.hpp"
#include "sparse/multifrontal/solve/front_triangle.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The substitution in one large front as tasks, so that threads can share it. Forward: L y = b for the
/// pivots, and the products that are subtracted from the other rows. Backward: L^T x = y, from the last pivot
/// to the first. The lines are cut into blocks. A block subtracts the products with its source blocks, one
/// step each, in a fixed order, so that numbers do not depend on the order of tasks. A block of pivots is
/// solved after its last step.
template <class T>
class FrontSweep final : public comm::TaskSource {
 public:
  enum class Way : std::uint8_t { forward, backward };

  /// lines: of pivots, delayed and border rows. Forward, those of delayed and border rows are written, not
  ///         read
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
  /// Number of source blocks of a block; the source block of a step.
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
  std::vector<Index> start_;  ///< of the blocks of pivots, then of the other rows; and the end
  Index pivots_ = 0;          ///< number of blocks of pivots
  std::vector<Block> blocks_;
  /// (priority, block), a heap: first the blocks on which most others wait.
  std::vector<std::pair<Index, Index>> ready_;
  Random shuffle_;  ///< for tests
  const bool is_shuffled_;
  Index left_ = 0;  ///< blocks that are not over
};

}  // namespace overlapack::sparse::multifrontal
