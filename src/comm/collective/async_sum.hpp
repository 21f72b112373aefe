#pragma once
#include "comm/rank.hpp"
#include "overlapack/choices.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace overlapack::comm::collective {

/// Non-blocking all-reduce of sums (as MPI_Iallreduce), for convergence tests of iterations. All ranks take part in the same rounds in
/// the same order, and every rank gets the same bits. No other collective may run between start and the sum.
class AsyncSum {
 public:
  virtual ~AsyncSum() = default;
  virtual bool is_under_way() const = 0;
  /// Begin the next round with my part.
  /// Shapes  mine: the same length on all ranks
  /// Errors  Internal if a round is under way
  virtual void start(std::vector<double> mine) = 0;
  /// The sum, once it is here; nullopt before, or when no round is under way. Never blocks; does not poll.
  virtual std::optional<std::vector<double>> sum_if_done() = 0;
};

using overlapack::SumForm;  // TreeSum, DoublingSum

std::unique_ptr<AsyncSum> async_sum(Rank& rank, SumForm form);

}  // namespace overlapack::comm::collective
