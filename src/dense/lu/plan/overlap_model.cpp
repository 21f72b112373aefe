#include "dense/lu/plan/overlap_model.hpp"

#include <algorithm>

namespace overlapack::dense {

OverlapPrediction predict_overlap(double communication_s, double computation_s,
                                  const OverlapSpeedups& speedups, int phases) {
  if (phases < 2) return {};
  const double k = phases, sm = speedups.communication, sp = speedups.computation;
  const double flat_s = communication_s + computation_s;
  const double phase_s = std::min(communication_s / sm, computation_s / ((k - 1) * sp));
  OverlapPrediction result;
  result.overlap_s = k * phase_s;
  result.saved_s = phase_s * (sm + (k - 1) * sp - k);
  if (flat_s > 0) result.speedup = flat_s / (flat_s - result.saved_s);
  return result;
}

}  // namespace overlapack::dense
