#include "sparse/analysis/fronts/clusters.hpp"

#include <span>

namespace overlapack::sparse {
namespace {

/// A node with more neighbours is no bridge between variables, since all its neighbours would then count as near each other.
constexpr Index most_bridged = 256;

/// Orders the variables of fronts by recursive bisection, one front after the other.
class Halving {
 public:
  Halving(const QuotientGraph& quotient, const EliminationTree& tree)
      : quotient_(quotient),
        tree_(tree),
        is_in_(static_cast<std::size_t>(quotient.graph.nodes()), 0),
        seen_(static_cast<std::size_t>(quotient.graph.nodes()), 0) {}

  /// Order the positions of clusters first to end - 1. variables, count: the numbers of variables and of clusters of the whole front. A node of
  /// many variables may fill several clusters, so that a half is empty.
  void order(std::span<Node> positions, Index variables, Index count, Index first, Index end) {
    if (end - first <= 1 || positions.size() <= 1) return;
    walk_from(positions, positions.front());
    walk_from(positions, walked_.back());
    std::ranges::copy(walked_, positions.begin());
    const Index middle = (first + end) / 2;
    const Index wanted = cluster_start(variables, count, middle) - cluster_start(variables, count, first);
    std::size_t half = 0;
    for (Index weight = 0; half < positions.size() && weight < wanted; ++half)
      weight += quotient_.weight(node(positions[half]));
    order(positions.first(half), variables, count, first, middle);
    order(positions.subspan(half), variables, count, middle, end);
  }

 private:
  Node node(Node position) const { return tree_.order[position]; }

  /// Sort the positions by their distance from `start`, one connected part after the other.
  void walk_from(std::span<const Node> positions, Node start) {
    ++stamp_;
    for (const Node p : positions) is_in_[node(p)] = 1;
    walked_.clear();
    append_if_new(start);
    std::size_t next = 0;
    for (auto p = positions.begin(); walked_.size() < positions.size(); ++next) {
      while (next == walked_.size()) append_if_new(*p++);
      visit_around(node(walked_[next]));
    }
    for (const Node p : positions) is_in_[node(p)] = 0;
  }

  void append_if_new(Node position) {
    const Node v = node(position);
    if (!is_in_[v] || seen_[v] == stamp_) return;
    seen_[v] = stamp_;
    walked_.push_back(position);
  }

  void visit_around(Node v) {
    for (const Node u : quotient_.graph.neighbours(v)) {
      if (is_in_[u]) {
        append_if_new(tree_.position[u]);
      } else if (seen_[u] != stamp_ && quotient_.graph.degree(u) <= most_bridged) {
        seen_[u] = stamp_;
        for (const Node w : quotient_.graph.neighbours(u)) append_if_new(tree_.position[w]);
      }
    }
  }

  const QuotientGraph& quotient_;
  const EliminationTree& tree_;
  std::vector<char> is_in_;  ///< node -> is it one of those at hand?
  std::vector<Index> seen_;  ///< node -> the last walk that came to it
  Index stamp_ = 0;
  std::vector<Node> walked_;
};

}  // namespace

void order_by_clusters(const QuotientGraph& quotient, const EliminationTree& tree, const FrontForest& forest,
                       Index width, std::vector<Node>& by_front) {
  Halving halving(quotient, tree);
  auto first = by_front.begin();
  while (first != by_front.end()) {
    const Node f = forest.front_of[*first];
    const auto end =
        std::find_if(first, by_front.end(), [&](Node position) { return forest.front_of[position] != f; });
    const Index count = cluster_count(forest.pivots[f], width);
    halving.order({first, end}, forest.pivots[f], count, 0, count);
    first = end;
  }
}

}  // namespace overlapack::sparse
