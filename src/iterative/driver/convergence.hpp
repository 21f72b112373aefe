#pragma once
#include "comm/rank.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"

#include <memory>

namespace overlapack::iterative {

/// The vector that an iteration returns, and how it ended. All members are the same on every rank except x, which is this rank's
/// part.
template <class T>
struct Found {
  State<T> x;           ///< the best vector whose residual is known
  double residual = 0;  ///< ||b - A x||_2 / ||b||_2 of exactly this vector; the absolute norm if b is zero
  bool has_converged = false;
  bool has_diverged = false;
  bool has_stagnated = false;
};

/// Found, and how many residuals were computed; the same on every rank.
template <class T>
struct Outcome : Found<T> {
  Index looks = 0;      ///< global residuals that were computed
  Index snapshots = 0;  ///< vectors whose true residual was computed while iterating went on
};

/// Decides when to stop, the same on all ranks, and keeps the vector that is returned.
template <class T>
class Convergence {
 public:
  virtual ~Convergence() = default;
  /// Whether halos must be swapped before this iteration's call of is_over.
  virtual bool needs_halo(Index iteration) const = 0;
  /// Whether to stop; called once before each iteration, with the present state.
  virtual bool is_over(Index iteration, std::span<const T> x) = 0;
  virtual Outcome<T> take_outcome() = 0;
};

/// For iterations in step: computes the residual every residual_period iterations, by a blocking sum.
/// Sync    is_over is collective every residual_period iterations
/// Source  paper 5, Figure 1
template <class T>
std::unique_ptr<Convergence<T>> sync_convergence(comm::Rank& rank, const Block<T>& block,
                                                 const IterationPlan& plan);

/// No rank waits. A first sum adds the local residuals, each with its present halo; it belongs to no vector, so it is only a
/// trigger. Then each rank records its unknowns and sends their boundary values to its neighbours. When the neighbours' recorded
/// values have arrived, the rank computes its part of the true residual of the recorded vector, and the next sum adds these parts.
/// The iteration goes on meanwhile. All ranks get the same sums in the same order, and therefore decide the same.
/// Source  paper 5, section 3.1.2, for the sum over a tree; recording is our addition
template <class T>
std::unique_ptr<Convergence<T>> async_convergence(comm::Rank& rank, const Block<T>& block,
                                                  const IterationPlan& plan);

/// ||b||_2 over all ranks; 1 if b is zero, NaN if the norm is not finite.  Collective.
template <class T>
double source_norm(comm::Rank& rank, const Block<T>& block);

}  // namespace overlapack::iterative
