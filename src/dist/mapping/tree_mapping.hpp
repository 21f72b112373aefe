#pragma once
#include "overlapack/scalar.hpp"

#include <span>
#include <vector>

namespace overlapack::dist {

/// How a tree of fronts is spread over ranks.
struct MappingPlan {
  double subtree_share =
      0.25;                ///< a subtree on one rank takes at most this x total / ranks of the predicted time
  double imbalance = 0.1;  ///< a front stays with the rank that did most of the work below it unless that
                           ///< rank would then have more than (1 + imbalance) total / ranks
  /// a subtree predicted below this stays with its parent: it is not worth a message
  double message_s = 50e-6;
  /// where ranks share memory, one of them does all unless the tree is predicted to take this much less of the time on all of them
  double least_gain = 0.1;
};

/// Who owns each front of a tree.
struct TreeMapping {
  std::vector<int> owner;  ///< front -> rank
  std::vector<Index>
      subtree_of;  ///< front -> root of the one-rank subtree it is in, or -1 for a front above them
  std::vector<double> load_s;  ///< rank -> predicted seconds of its fronts
};

/// Tree to ranks: whole subtrees to single ranks, packed by predicted time, the fronts above them along the
/// heaviest child, so that the rank that finishes last below goes on without a message.
/// Shapes  parent, seconds: one entry a front; fronts in postorder, parent[f] > f or -1
/// Sync    none: every rank computes the same mapping from the same tree
/// Cost    O(fronts (log fronts + ranks)) at worst
/// Errors  BadPlan if ranks < 1, subtree_share <= 0 or imbalance < 0; Internal if the tree is not in postorder
/// Source  Geist, Ng, Task scheduling for parallel sparse Cholesky factorization, Int. J. Parallel Program. 18 (1989)
TreeMapping map_tree(std::span<const Index> parent, std::span<const double> seconds, int ranks,
                     const MappingPlan& plan = {});

/// Seconds until the last front is done, if each rank does its fronts in postorder and a front waits for its children: how much
/// the tree itself lets ranks do at the same time. Messages take none.
/// Cost    O(fronts)
double predicted_seconds(std::span<const Index> parent, std::span<const double> seconds,
                         std::span<const int> owner, int ranks);

/// What one rank holds.
struct RankMemory {
  double factor_bytes = 0;  ///< its factor entries, kept
  double peak_bytes = 0;    ///< at the worst moment: factors so far and live contribution blocks
};

/// The memory of each rank when it handles its fronts in postorder. A contribution block counts on the rank
/// that owns its parent from the moment it exists until the parent is assembled.
/// Shapes  factor_nnz, border_nnz: entries of the factors and of the contribution block of each front
/// Cost    O(fronts)
std::vector<RankMemory> estimate_memory(std::span<const Index> parent, std::span<const double> factor_nnz,
                                        std::span<const double> border_nnz, std::span<const int> owner,
                                        int ranks, double scalar_bytes);

}  // namespace overlapack::dist
