#pragma once
#include "sparse/analysis/dissection/node_queue.hpp"
#include "sparse/analysis/dissection/weighted_graph.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace overlapack::sparse {

/// The part of a bisection to which a node belongs: one of two sides, between which there is no edge, or the separator.
enum class Half : std::uint8_t { left, right, separator };

/// Defines which of two separators is better, and how long refinement looks for a better one.
struct SeparatorRule {
  /// No side has more than this share of all weight, if that is possible.
  double most_share = 0.65;
  /// Balance counts as much as weight: a separator that is heavier by the share imbalance_worth x imbalance^2 is as good as a lighter one with
  /// this imbalance, the difference of the sides over twice the weight of all nodes.
  double imbalance_worth = 5;
  /// Most passes of a refinement. Passes move nodes to one side and to the other in turn; two passes without a gain end the refinement.
  int most_passes = 20;
  /// A pass has a limit of moves without a gain: three for each node of the separator, between least_moves and most_moves. The pass ends after
  /// twice the limit, and already at the limit if the separator costs more than most_worse x the best one.
  std::size_t least_moves = 25, most_moves = 300;
  double most_worse = 1.05;
};

/// How the coarsest graph is bisected by growing one half from a node.
struct GrowthPlan {
  int tries = 1;                   ///< number of start nodes that are tried
  int most_passes = 3;             ///< most passes of moves that reduce the weight of the cut edges
  std::size_t moves_in_vain = 30;  ///< a pass ends after so many moves without a gain
  double most_imbalance = 0.2;     ///< largest difference of the halves over the weight of all nodes
};

/// A division of a graph into two sides and a separator.
struct Bisection {
  std::vector<Half> side;
  std::array<std::int64_t, 3> weight{};  ///< by Half

  std::int64_t separator_weight() const { return weight[static_cast<std::size_t>(Half::separator)]; }
};

/// The cost of a bisection with these weights by Half; less is better. A side that is larger than the rule allows costs more than any
/// separator.
double cost(const std::array<std::int64_t, 3>& weight, const SeparatorRule& rule);

/// Set bisection.weight from bisection.side.
void sum_side_weights(const WeightedGraph& graph, Bisection& bisection);

/// The work space of refinements, for graphs with up to `nodes` nodes. One space serves many refinements, one after the other.
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

/// Improve a bisection. Each move takes a node out of the separator, and its neighbours on the other side into it. Refinement goes on as long
/// as it finds a better separator, and may pass over some that are worse.
/// Cost    O(edges at the separator) a pass, some passes
/// Source  Fiduccia and Mattheyses (1982) on separators: Ashcraft and Liu, SIAM J. Matrix Anal. Appl. 19 (1998); Hendrickson and
///         Rothberg, SIAM J. Sci. Comput. 20 (1998)
void refine(const WeightedGraph& graph, Bisection& bisection, const SeparatorRule& rule,
            RefinementSpace& space);

/// A bisection whose separator are the nodes at one distance from an end of a connected graph, without refinement. On a grid with the 7-point
/// stencil this is a diagonal plane, which is a quarter lighter than a plane along the axes.
/// Cost    O(edges)
/// Source  George and Liu, SIAM J. Numer. Anal. 15 (1978), automatic nested dissection
Bisection level_bisection(const WeightedGraph& graph, const SeparatorRule& rule);

/// The best of several bisections, each of which grows one half around a random node and is refined.
/// Cost    O(tries x edges log nodes): for coarse graphs
Bisection grown_bisection(const WeightedGraph& graph, std::uint64_t seed, const GrowthPlan& plan,
                          const SeparatorRule& rule, RefinementSpace& space);

}  // namespace overlapack::sparse
