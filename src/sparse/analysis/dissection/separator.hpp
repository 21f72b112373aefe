#pragma once
#include "sparse/analysis/dissection/node_queue.hpp"
#include "sparse/analysis/dissection/weighted_graph.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace overlapack::sparse {

/// Where a node is: on one of two sides without an edge between them, or in the separator.
enum class Half : std::uint8_t { left, right, separator };

/// What makes one separator better than another, and how long a better one is looked for.
struct SeparatorRule {
  /// No side is larger than this share of all weight, where that can be had.
  double most_share = 0.65;
  /// A separator may be heavier by imbalance^2 x this share: imbalance is the difference of the sides over twice the weight of all.
  double imbalance_worth = 5;
  /// Passes of a refinement, to one side and to the other in turn; two in vain end it.
  int most_passes = 20;
  /// A pass ends after twice so many moves that found nothing better, and after as many where the separator costs more than most_worse x
  /// the best: three for each of its nodes, between these bounds.
  std::size_t least_moves = 25, most_moves = 300;
  double most_worse = 1.05;
};

/// How the coarsest graph is halved.
struct GrowthPlan {
  int tries = 1;                   ///< nodes that a half grows from
  int most_passes = 3;             ///< of moves that lessen the cut edges
  std::size_t moves_in_vain = 30;  ///< that end a pass
  double most_imbalance = 0.2;     ///< difference of the halves over the weight of all
};

/// A graph in two sides and a separator.
struct Bisection {
  std::vector<Half> side;
  std::array<std::int64_t, 3> weight{};  ///< by Half

  std::int64_t separator_weight() const { return weight[static_cast<std::size_t>(Half::separator)]; }
};

/// Less is better; sides that are larger than the rule allows cost more than any separator.
double cost(const std::array<std::int64_t, 3>& weight, const SeparatorRule& rule);

/// Weights as the sides are.
void sum_side_weights(const WeightedGraph& graph, Bisection& bisection);

/// What refinements of graphs with up to `nodes` nodes use one after the other.
struct RefinementSpace {
  explicit RefinementSpace(Node nodes)
      : queue(nodes), moved_in(static_cast<std::size_t>(nodes), 0), listed_in(moved_in) {
    for (auto& weights : beside) weights.resize(moved_in.size());
  }
  NodeQueue queue;
  std::array<std::vector<std::int32_t>, 2> beside;
  std::vector<int> moved_in, listed_in;
  int pass = 0;
};

/// Moves nodes out of the separator, and their neighbours on the other side into it, as long as that finds a better one: also over some
/// that are worse.
/// Cost    O(edges at the separator) a pass, some passes
/// Source  Fiduccia and Mattheyses (1982) on separators: Ashcraft and Liu, SIAM J. Matrix Anal. Appl. 19 (1998); Hendrickson and
///         Rothberg, SIAM J. Sci. Comput. 20 (1998)
void refine(const WeightedGraph& graph, Bisection& bisection, const SeparatorRule& rule,
            RefinementSpace& space);

/// Of the nodes at one distance from an end of a connected graph, not refined. On grids of 7 points that is a diagonal plane, which is a
/// quarter lighter than one along the axes.
/// Cost    O(edges)
/// Source  George and Liu, SIAM J. Numer. Anal. 15 (1978), automatic nested dissection
Bisection level_bisection(const WeightedGraph& graph, const SeparatorRule& rule);

/// The best of some that grow round a node at random, refined.
/// Cost    O(tries x edges log nodes): for coarse graphs
Bisection grown_bisection(const WeightedGraph& graph, std::uint64_t seed, const GrowthPlan& plan,
                          const SeparatorRule& rule, RefinementSpace& space);

}  // namespace overlapack::sparse
