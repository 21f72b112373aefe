#include "api/iterative/residual_history.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::api {

namespace {

constexpr std::size_t most_points = 4096;

}  // namespace

iterative::IterationPlan ResidualHistory::plan_with_recording(const comm::Rank& rank,
                                                              iterative::IterationPlan plan) {
  if (rank.rank() != 0) return plan;
  points_.clear();
  looks_ = 0;
  stride_ = 1;
  share_ = 0;
  plan.on_progress = [this, &rank, begin = rank.now()](const iterative::Look& look) {
    add({.iteration = look.iteration,
         .seconds = rank.now() - begin,
         .residual = look.residual,
         .is_true = look.is_true});
    const double way = -std::log(std::max(tolerance_, 1e-300));
    const double share = look.residual > 0 && way > 0 ? -std::log(look.residual) / way : 1;
    share_ = std::clamp(share, 0.0, 1.0);
  };
  plan.before_iteration = [this] { interruption_.report_progress("iteration", share_); };
  return plan;
}

std::vector<ResidualPoint> ResidualHistory::points() const {
  std::vector<ResidualPoint> all = points_;
  if (looks_ > 0 && (looks_ - 1) % stride_ != 0) all.push_back(last_);
  return all;
}

void ResidualHistory::add(const ResidualPoint& point) {
  last_ = point;
  if (looks_++ % stride_ != 0) return;
  if (points_.size() == most_points) {
    for (std::size_t k = 0; 2 * k < most_points; ++k) points_[k] = points_[2 * k];
    points_.resize(most_points / 2);
    stride_ *= 2;
    if ((looks_ - 1) % stride_ != 0) return;
  }
  points_.push_back(point);
}

}  // namespace overlapack::api
