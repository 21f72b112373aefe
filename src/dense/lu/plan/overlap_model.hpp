#pragma once

namespace overlapack::dense {

/// Speed-ups of a node whose ranks work in opposite phases, compared with all ranks doing the same (paper 2, Fig. 8): of the rank that
/// communicates while the others compute, and of the ranks that compute while one communicates.
struct OverlapSpeedups {
  double communication = 1;  ///< S_m
  double computation = 1;    ///< S_p
};

/// The model's prediction for a run.
struct OverlapPrediction {
  double overlap_s = 0;  ///< T_overlap: the time spent in opposite phases
  double saved_s = 0;    ///< dT = T_flat - T_async
  double speedup = 1;    ///< S = T_flat / T_async
};

/// Predicts the parity schedule with k phases (k ranks a node) from the times of the flat schedule.
/// In each of k phases of length t, one rank of a node communicates and k - 1 ranks compute:
///   t = min(T_m / S_m, T_p / ((k - 1) S_p)),   T_overlap = k t                                             (1)
///   dT = t (S_m + (k - 1) S_p - k)                                                                         (2)
///   S = T_flat / (T_flat - dT)                                                                             (3)
/// which for k = 2 are the paper's equations.
/// Units   seconds of one rank: communicating (T_m) and computing (T_p) in the flat schedule
/// Source  paper 2, section 3.1, equations 1 to 3; k > 2 is its open point (section 6)
OverlapPrediction predict_overlap(double communication_s, double computation_s,
                                  const OverlapSpeedups& speedups, int phases);

}  // namespace overlapack::dense
