#pragma once
#include "comm/rank.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"

#include <memory>

namespace overlapack::iterative {

/// The vector that an iteration returns, and how it ended; the same on every rank except `x`, this rank's part.
template <class T>
struct Found {
  State<T> x;           ///< the best vector whose residual is known
  double residual = 0;  ///< ||b - A x||_2 / ||b||_2 of exactly this vector; the absolute norm where b is zero
  bool has_converged = false;
  bool has_diverged = false;
  bool has_stagnated = false;
};

/// And how often it was looked at, the same on every rank.
template <class T>
struct Outcome : Found<T> {
  Index looks = 0;      ///< global residuals that were computed
  Index snapshots = 0;  ///< vectors whose true residual was computed while iterating went on
};

/// Decides when to stop, on all ranks alike, and keeps the vector that is returned.
template <class T>
class Convergence {
 public:
  virtual ~Convergence() = default;
  /// Whether halos must be swapped before this iteration's is_over.
  virtual bool needs_halo(Index iteration) const = 0;
  /// Once before each iteration, with the state as it is.
  virtual bool is_over(Index iteration, std::span<const T> x) = 0;
  virtual Outcome<T> take_outcome() = 0;
};

/// The residual every residual_period iterations, in step: a blocking sum.
/// Sync    is_over is collective every residual_period iterations
/// Source  paper 5, Figure 1
template <class T>
std::unique_ptr<Convergence<T>> sync_convergence(comm::Rank& rank, const Block<T>& block,
                                                 const IterationPlan& plan);

/// No rank waits. A first sum adds the local residuals, each with its present halo; it belongs to no vector, so it is only a
/// trigger. Then each rank records its unknowns and sends their boundary to its neighbours; once the neighbours' recorded
/// boundaries have arrived, the rank computes its part of the true residual of the recorded vector, and the next sum adds those.
/// The iteration goes on meanwhile. All ranks get the same sums in the same order, and so decide alike.
/// Source  paper 5, section 3.1.2, for the tree; recording is an addition to it
template <class T>
std::unique_ptr<Convergence<T>> async_convergence(comm::Rank& rank, const Block<T>& block,
                                                  const IterationPlan& plan);

/// ||b||_2 over all ranks, or 1 where b is zero; NaN where it is not finite.  Collective.
template <class T>
double source_norm(comm::Rank& rank, const Block<T>& block);

}  // namespace overlapack::iterative
