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
  /// true: the residual of one vector; false: a sum of local residuals with old halos, which belongs to no vector
  bool is_true = false;
};

/// The R of a plan with in_flight = 0. Normally a channel has no more messages under way than iterations fit into its round trip;
/// the bound is for peers that have stalled.
inline constexpr int usual_in_flight = 8;

/// Decisions of an iteration, apart from its local step's.
struct IterationPlan {
  Variant variant = Variant::async;
  /// R: most messages under way in each direction of a pair (async); 0: usual_in_flight
  int in_flight = 0;
  HaloForm halo_by = HaloForm::engine;  ///< async: by messages or by puts
  Index halo_period = 0;  ///< N: iterations between two halo swaps; 0: 1 in step, else comm::Pace decides
  /// Ranks get consecutive rows if the halos then have at most this many unknowns for each entry of the matrix; else METIS
  /// divides it.
  double most_halo = 0.05;
  double exchange_share = 0.05;  ///< if comm::Pace decides: largest share of the time that swaps may take
  double tolerance = 1e-8;       ///< for ||b - A x||_2 / ||b||_2
  Index max_iterations = 1000000;
  Index residual_period = 100;  ///< iterations between two looks at the residual
  /// Async, racy: how it is summed
  comm::collective::SumForm residual_sum = comm::collective::SumForm::tree;
  int final_sweeps = 0;  ///< iterations in step after the end of an asynchronous iteration
  /// The iteration is proven to converge, so that a growing residual is no reason to stop.
  bool is_proven = false;
  double divergence = 1e6;  ///< unless proven: stop when the residual is this many times the smallest so far
  /// Stop when this many looks at the residual, and at least twice as many as there are ranks (the longest path by which news
  /// travels),
  /// have found none that is smaller than all before ...
  Index patience = 100;
  /// ... and, if convergence is proven, x changes by no more than this many eps ||x||_2 from one look to the next.
  double still = 100;
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
