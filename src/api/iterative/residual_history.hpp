#pragma once
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// The residuals of one iteration as they become known on rank 0: kept for the report, and told to the caller as the way from 1
/// to the tolerance.
class ResidualHistory {
 public:
  ResidualHistory(Interruption& interruption, double tolerance)
      : interruption_(interruption), tolerance_(tolerance) {}

  /// The plan with its callbacks set, on the clock of this rank, which begins now. Rank 0's is kept.
  iterative::IterationPlan watch(const comm::Rank& rank, iterative::IterationPlan plan);
  const std::vector<ResidualPoint>& points() const { return points_; }

 private:
  void add(const ResidualPoint& point);

  Interruption& interruption_;
  double tolerance_;
  std::vector<ResidualPoint> points_;
  Index looks_ = 0;
  Index stride_ = 1;  ///< every so manieth look is kept
  double share_ = 0;  ///< of the way, at the last look
};

}  // namespace overlapack::api
