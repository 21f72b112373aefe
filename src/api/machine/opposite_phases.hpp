#pragma once
#include "api/run/session.hpp"
#include "overlapack/probe.hpp"

namespace overlapack::probe {

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
PhaseSpeedups opposite_phase_speedups(comm::Rank& rank, int phases, const PhaseTasks& tasks);

/// Factorise a random matrix of order n flat and in opposite phases, in blocks of `block`; the least of `rounds` each.
/// Sync    calls session.run; the result is on rank 0
SavingRow measure_saving(api::Session& session, Index n, Index block, int phases,
                         const PhaseSpeedups& speedups, int rounds);

}  // namespace overlapack::probe
