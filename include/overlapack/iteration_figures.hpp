#pragma once
#include "overlapack/figure.hpp"

/// The counters of iterations, as lists (figure.hpp).
namespace overlapack {

/// Counters of both iterations, Jacobi's method and multisplitting.
struct IterationCounters {
  OVERLAPACK_FIGURES(IterationCounters);
  OVERLAPACK_FIGURE(Index, looks, same, "global residuals that were computed while iterating");
  OVERLAPACK_FIGURE(Index, snapshots, same,
                    "recorded vectors whose true residual was computed while iterating");
  OVERLAPACK_FIGURE(Index, sends, sum, "messages with a halo to a neighbour");
  OVERLAPACK_FIGURE(Index, put_sends, sum, "sends that were puts into buffers of the neighbour (OpenSHMEM)");
  OVERLAPACK_FIGURE(Index, skipped_sends, sum, "halos that were not sent because the channel was full");
  OVERLAPACK_FIGURE(Index, largest_batch, most,
                    "the most halos of one neighbour between two receives (async)");
  OVERLAPACK_FIGURE(Index, most_in_flight, most, "the most messages on their way to one neighbour (async)");
  OVERLAPACK_FIGURE(double, halo_period_mean, mean,
                    "iterations between two halos at the end, mean over the ranks");
  OVERLAPACK_FIGURE(Index, rests, sum,
                    "iterations that waited for a halo instead of solving with the same one again");
  OVERLAPACK_FIGURE(Index, slices, sum, "slices of local steps, which several threads may take");
  OVERLAPACK_FIGURE(Index, slices_by_others, sum,
                    "slices that workers, or waiting ranks of the same process, took");
  OVERLAPACK_FIGURES_END;
};

/// Counters of the work in the blocks of multisplitting, over all blocks.
struct InnerCounters {
  OVERLAPACK_FIGURES(InnerCounters);
  OVERLAPACK_FIGURE(Index, inner_steps, sum, "steps of conjugate gradients in the blocks, all blocks");
  OVERLAPACK_FIGURE(Index, group_solves, sum, "solves with a block by several ranks, all blocks");
  OVERLAPACK_FIGURE(Index, coarse_solves, sum, "solves with the coarse level");
  OVERLAPACK_FIGURES_END;
};

}  // namespace overlapack
