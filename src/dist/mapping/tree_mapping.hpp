#pragma once
#include "overlapack/scalar.hpp"

#include <span>
#include <vector>

namespace overlapack::dist {

/// Options for mapping a tree of fronts to ranks.
struct MappingPlan {
  /// a subtree on one rank has at most the predicted time subtree_share * total / ranks
  double subtree_share = 0.25;
  double imbalance = 0.1;  ///< a front stays with the rank that did most of the work below it unless that
                           ///< rank would then have more than (1 + imbalance) total / ranks
  /// a subtree with a predicted time below this goes to its parent's rank, as it is not worth a message
  double message_s = 50e-6;
  /// if ranks share memory: least share of the predicted time that all ranks must save; with less, one rank does all the work
  double least_gain = 0.1;
};

/// The owner of each front of a tree.
struct TreeMapping {
  std::vector<int> owner;  ///< front -> rank
  /// front -> root of its one-rank subtree, or -1 for a front above the subtrees
  std::vector<Index> subtree_of;
  std::vector<double> load_s;  ///< rank -> predicted seconds of its fronts
};

/// Map a tree to ranks. Whole subtrees go to single ranks, packed by predicted time. A front above them goes to the rank with
/// most work below it, so that the rank which finishes last below continues without a message.
/// Shapes  parent, seconds: one entry a front; fronts in postorder, parent[f] > f or -1
/// Sync    none: every rank computes the same mapping from the same tree
/// Cost    O(fronts (log fronts + ranks)) at worst
/// Errors  BadPlan if ranks < 1, subtree_share <= 0 or imbalance < 0; Internal if the tree is not in postorder
/// Source  Geist, Ng, Task scheduling for parallel sparse Cholesky factorization, Int. J. Parallel Program. 18 (1989)
TreeMapping map_tree(std::span<const Index> parent, std::span<const double> seconds, int ranks,
                     const MappingPlan& plan = {});

/// Predicted seconds until the last front is done, if each rank does its fronts in postorder, each front waits for its children,
/// and messages take no time. It measures the parallelism of the mapped tree. parent[f] > f, or below 0 for a root; nothing is
/// checked.
/// Cost    O(fronts)
double postorder_makespan(std::span<const Index> parent, std::span<const double> seconds,
                          std::span<const int> owner, int ranks);

/// Predicted memory of one rank.
struct RankMemory {
  double factor_bytes = 0;  ///< its factor entries, which it keeps
  double peak_bytes = 0;    ///< the most at one time: factors so far and live contribution blocks
};

/// The memory of each rank when it works off its fronts in postorder. A contribution block counts on the owner of its parent
/// from its creation until the parent is assembled.
/// Shapes  factor_nnz, contribution_nnz: entries of the factors and of the contribution block of each front
/// Cost    O(fronts)
std::vector<RankMemory> estimate_memory(std::span<const Index> parent, std::span<const double> factor_nnz,
                                        std::span<const double> contribution_nnz, std::span<const int> owner,
                                        int ranks, double scalar_bytes);

}  // namespace overlapack::dist
