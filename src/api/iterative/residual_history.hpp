#pragma once
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// The residuals of one iteration as rank 0 gets them: stored for the report, and for the caller's progress from 1 to the
/// tolerance.
class ResidualHistory {
 public:
  ResidualHistory(Interruption& interruption, double tolerance)
      : interruption_(interruption), tolerance_(tolerance) {}

  /// The plan with callbacks that record on rank 0, with times from now on; on other ranks `plan` as it is.
  iterative::IterationPlan plan_with_recording(const comm::Rank& rank, iterative::IterationPlan plan);
  /// Those that are stored, and the last one.
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
