#pragma once
#include "comm/collective/collective.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>

namespace overlapack::iterative {

/// Whether this residual ends a run as divergent; best: the smallest residual so far. The residual of a proven iteration may grow
/// on its way.
inline bool is_growth(const IterationPlan& plan, double residual, double best) {
  return !std::isfinite(residual) || (!plan.is_proven && !(residual <= plan.divergence * best));
}

/// Counts the looks at the residual since the best one, and says when there have been too many. It counts looks instead of
/// iterations, which differ between ranks: each rank does at least one iteration between two looks. The same on all ranks.
class Patience {
 public:
  Patience(const IterationPlan& plan, int ranks) : most_(std::max<Index>(plan.patience, 2 * Index{ranks})) {}

  void begin_at(double best) {
    best_ = best;
    since_ = 0;
  }
  /// Returns  whether patience is at its end
  bool record_residual(double residual) {
    if (residual < best_)
      begin_at(residual);
    else
      ++since_;
    return since_ >= most_;
  }

 private:
  Index most_, since_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

/// My parts of ||x - before||_2^2 and ||x||_2^2.
using Movement = std::array<double, 2>;
template <class T>
Movement movement(std::span<const T> x, std::span<const T> before) {
  Movement m{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    m[0] += std::norm(std::complex<double>(x[i]) - std::complex<double>(before[i]));
    m[1] += std::norm(std::complex<double>(x[i]));
  }
  return m;
}
/// Whether the movement, summed over all ranks, is rounding alone.
template <class T>
bool has_stopped_moving(const IterationPlan& plan, const Movement& all) {
  return std::sqrt(all[0]) <=
         plan.still * double(std::numeric_limits<Real<T>>::epsilon()) * std::sqrt(all[1]);
}

}  // namespace overlapack::iterative
