#pragma once
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// Collects the residuals of one iteration on rank 0. It stores them for the report, and reports the caller's progress by how far the
/// residual has fallen from 1 to the tolerance.
class ResidualHistory {
 public:
  ResidualHistory(Interruption& interruption, double tolerance)
      : interruption_(interruption), tolerance_(tolerance) {}

  /// On rank 0: the plan with callbacks that record residuals, with times from now on. On other ranks: `plan` unchanged.
  iterative::IterationPlan plan_with_recording(const comm::Rank& rank, iterative::IterationPlan plan);
  /// The stored residuals, and the last one.
  std::vector<ResidualPoint> points() const;

 private:
  void add(const ResidualPoint& point);

  Interruption& interruption_;
  double tolerance_;
  std::vector<ResidualPoint> points_;
  ResidualPoint last_;
  Index looks_ = 0;
  Index stride_ = 1;  ///< every stride-th look is stored
  double share_ = 0;  ///< progress at the last look
};

}  // namespace overlapack::api
