#pragma once
#include "api/session.hpp"
#include "dense/lu/overlap_model.hpp"

#include <vector>

namespace overlapack::api {

/// The tasks with which speed-ups are measured: a broadcast of width x rows doubles, the product of rows x width and
/// width x rows matrices.
struct PhaseTasks {
  Index rows = 3000;
  Index width = 112;
};

/// S_m and S_p of this machine: each task while the node mates do the same, and while they do the other.
/// Shapes  phases: ranks side by side on a node; rank r is in phase r % phases and broadcasts to the others of its phase,
///         or, where there are none, sends to itself
/// Sync    collective over a team whose size is a multiple of phases; the result is on every rank
/// Errors  BadPlan unless phases >= 2 divides the team
/// Source  paper 2, Fig. 8
dense::OverlapSpeedups opposite_phase_speedups(comm::Rank& rank, int phases, const PhaseTasks& tasks);

/// A row of paper 2's Table 3, with what was measured beside it.
struct SavingRow {
  Index n = 0;
  double communication_s = 0;  ///< T_m of the flat schedule: all that is not computing
  double computation_s = 0;    ///< T_p: the mean of the ranks
  dense::OverlapPrediction model = {};
  double measured_s = 0;  ///< dT_a = T_flat - T_parity
};

/// Factorise a random matrix of order n flat and in opposite phases, in blocks of `block`; the least of `rounds` each.
/// Sync    calls session.run; the result is on rank 0
SavingRow measured_saving(Session& session, Index n, Index block, int phases,
                          const dense::OverlapSpeedups& speedups, int rounds);

}  // namespace overlapack::api
