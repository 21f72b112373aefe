#pragma once
#include "api/run/session.hpp"
#include "overlapack/probe.hpp"

namespace overlapack::probe {

/// The two tasks whose speed-ups are measured: a broadcast of width x rows doubles, and the product of a rows x width with a width x rows
/// matrix.
struct PhaseTasks {
  Index rows = 3000;
  Index width = 112;
};

/// Measure S_m and S_p of this machine: the time of each task while the ranks of the same node do the same task, over its time while they do
/// the other one.
/// phases: the number of consecutive ranks on a node. Rank r is in phase r % phases and broadcasts to the other ranks of its phase or, if
///         there are none, sends to itself
/// Sync    collective over a team whose size is a multiple of phases; the result is on every rank
/// Errors  BadPlan unless phases >= 2 divides the team
/// Source  paper 2, Fig. 8
PhaseSpeedups opposite_phase_speedups(comm::Rank& rank, int phases, const PhaseTasks& tasks);

/// Factorise a random matrix of order n by the flat schedule and in opposite phases, in blocks of `block`. Each time is the least of `rounds`
/// runs.
/// Sync    calls session.run; the result is on rank 0
SavingRow measure_saving(api::Session& session, Index n, Index block, int phases,
                         const PhaseSpeedups& speedups, int rounds);

}  // namespace overlapack::probe
