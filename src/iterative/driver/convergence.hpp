#pragma once
#include "comm/rank.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"

#include <memory>

namespace overlapack::iterative {

/// What is known at the end, the same on every rank but for `x`.
template <class T>
struct Outcome {
  State<T> x;           ///< the best vector whose residual is known
  double residual = 0;  ///< ||b - A x||_2 / ||b||_2 of exactly this vector
  bool has_converged = false;
  bool has_diverged = false;
  Index looks = 0;      ///< global residuals that were computed
  Index snapshots = 0;  ///< vectors whose true residual was computed while iterating went on
};

/// Decides when to stop, on all ranks alike, and keeps the vector that is returned.
template <class T>
class Convergence {
 public:
  virtual ~Convergence() = default;
  /// Does a halo have to be swapped before this iteration's is_over?
  virtual bool needs_halo(Index iteration) const = 0;
  /// Once before each iteration, with the state as it is.
  virtual bool is_over(Index iteration, const State<T>& x) = 0;
  virtual Outcome<T> take() = 0;
};

/// The residual every residual_period iterations, in step: a blocking sum.
/// Sync    is_over is collective every residual_period iterations
/// Source  paper 5, Figure 1
template <class T>
std::unique_ptr<Convergence<T>> sync_convergence(comm::Rank& rank, const Block<T>& block,
                                                 const IterationPlan& plan);

/// Nobody waits. First the sum over local residuals, each with the halo at hand, goes round; it belongs to no vector,
/// so that it is only a trigger. Then each rank records its unknowns and sends their boundary, marked as such, to its neighbours;
/// when the neighbours' recorded boundary is there, the rank knows its part of the true residual of the recorded vector, and the
/// next round sums that. Meanwhile the iteration goes on. All ranks see the same sums in the same order, and
/// decide alike.
/// Source  paper 5, section 3.1.2, for the tree; the record is what it lacks
template <class T>
std::unique_ptr<Convergence<T>> async_convergence(comm::Rank& rank, const Block<T>& block,
                                                  const IterationPlan& plan);

/// ||b||_2 over all ranks, or 1 where b is zero.  Collective.
template <class T>
double source_norm(comm::Rank& rank, const Block<T>& block);

}  // namespace overlapack::iterative
