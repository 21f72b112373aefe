#pragma once
#include "comm/collective/async_sum.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <functional>
#include <string_view>

namespace overlapack::iterative {

using overlapack::Variant;

/// A global residual during the iteration.
struct Look {
  Index iteration = 0;  ///< of rank 0
  double residual = 0;
  /// the residual of one vector; else a sum of local residuals with old halos, which belongs to no vector
  bool is_true = false;
};

/// R if the plan has 0. A channel has at most as many messages under way as iterations fit in its round trip; the bound is for
/// stalled peers.
inline constexpr int usual_in_flight = 8;

/// Decisions of an iteration, apart from its local step's.
struct IterationPlan {
  Variant variant = Variant::async;
  int in_flight = 0;  ///< R: messages under way in each direction of a pair (async); 0: usual_in_flight
  HaloForm halo_by = HaloForm::engine;  ///< async
  Index halo_period = 0;  ///< N: iterations between two halo swaps; 0: sync: 1, else as comm::Pace finds
  /// Ranks have consecutive rows if these halos have at most so many unknowns for each entry of the matrix; else METIS cuts it.
  double most_halo = 0.05;
  double exchange_share = 0.05;  ///< halo_period 0: a swap's largest share of the time between two
  double tolerance = 1e-8;       ///< of ||b - A x||_2 / ||b||_2
  Index max_iterations = 1000000;
  Index residual_period = 100;  ///< iterations between two looks at the residual
  comm::collective::SumForm residual_sum = comm::collective::SumForm::tree;  ///< async, racy
  int final_sweeps = 0;  ///< synchronous iterations after an asynchronous end
  /// The iteration converges for certain, so that growth of the residual may be a way there.
  bool is_proven = false;
  double divergence = 1e6;  ///< unless proven: stop when the residual is this many times the smallest so far
  /// Stop when so many looks at the residual, or twice as many as there are ranks (the longest path by which news can go),
  /// have found none that is smaller than all before ...
  Index patience = 100;
  double still =
      100;  ///< ... and, if proven, x changes by no more than this many eps ||x||_2 from look to look
  /// async: record a vector whenever the residual has fallen by this factor, in case it grows again
  double snapshot_step = 0.1;
  int slow_rank = -1;      ///< for experiments: this rank does the work of each iteration ...
  double slow_factor = 1;  ///< ... this many times
  /// Rank 0 calls it with each residual that is known; it may throw.
  std::function<void(const Look&)> on_progress = {};
  /// Rank 0 calls it before each iteration; it may throw.
  std::function<void()> before_iteration = {};
};

}  // namespace overlapack::iterative
