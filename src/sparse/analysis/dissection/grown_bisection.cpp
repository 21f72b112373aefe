#include "base/random.hpp"
#include "sparse/analysis/dissection/node_queue.hpp"
#include "sparse/analysis/dissection/separator.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace overlapack::sparse {
namespace {

/// Divides a graph into two sides with few cut edges. It minimises cut edges and not separator nodes, because on coarse graphs the edges show
/// better where a plane is straight.
class EdgeBisection {
 public:
  EdgeBisection(const WeightedGraph& graph, const GrowthPlan& plan)
      : graph_(graph),
        plan_(plan),
        is_left_(static_cast<std::size_t>(graph.nodes())),
        gain_(is_left_.size()),
        moved_(is_left_.size()),
        queue_(graph.nodes()) {}

  /// Make the left side: the seed and the nodes nearest to it, until the side has half of the weight.
  void grow(Node seed) {
    std::ranges::fill(is_left_, 0);
    left_ = 0;
    std::vector<Node> reached{seed};
    is_left_[seed] = 1;
    auto other = is_left_.begin();  // all before it are reached
    for (std::size_t next = 0; 2 * left_ < graph_.weight; ++next) {
      if (next == reached.size()) {  // the component is full
        other = std::find(other, is_left_.end(), 0);
        *other = 1;
        reached.push_back(static_cast<Node>(other - is_left_.begin()));
      }
      const Node v = reached[next];
      left_ += graph_.node_weight[v];
      is_left_[v] = 2;
      for (const Node w : graph_.neighbours(v))
        if (is_left_[w] == 0) {
          is_left_[w] = 1;
          reached.push_back(w);
        }
    }
    for (char& of : is_left_) of = of == 2;
    weigh_edges();
  }

  /// Move nodes to reduce the cut; a sequence of moves may include some that do not.
  void refine() {
    for (int pass = 0; pass < plan_.most_passes; ++pass)
      if (!improves()) return;
  }

  /// The bisection in which all nodes with an edge to the other side are in the separator.
  Bisection with_thick_separator() const {
    Bisection result;
    result.side.resize(is_left_.size());
    for (Node v = 0; v < graph_.nodes(); ++v)
      result.side[v] = touches_cut(v) ? Half::separator : is_left_[v] ? Half::left : Half::right;
    sum_side_weights(graph_, result);
    return result;
  }

 private:
  void weigh_edges() {
    cut_ = 0;
    for (Node v = 0; v < graph_.nodes(); ++v) {
      std::int64_t across = 0, all = 0;
      for (Index e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        all += graph_.edge_weight[e];
        if (is_left_[graph_.neighbour[e]] != is_left_[v]) across += graph_.edge_weight[e];
      }
      gain_[v] = 2 * across - all;
      cut_ += across;
    }
    cut_ /= 2;
  }

  /// Move v to the other side and update gain_, by how much the move of each node would reduce the cut.
  void flip(Node v) {
    is_left_[v] ^= 1;
    left_ += is_left_[v] ? graph_.node_weight[v] : -std::int64_t{graph_.node_weight[v]};
    cut_ -= gain_[v];
    gain_[v] = -gain_[v];
    for (Index e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
      const Node w = graph_.neighbour[e];
      const std::int64_t change =
          2 * std::int64_t{graph_.edge_weight[e]} * (is_left_[w] == is_left_[v] ? -1 : 1);
      gain_[w] += change;
      if (queue_.has(w)) queue_.add(w, change);
    }
  }

  std::int64_t imbalance() const { return std::abs(2 * left_ - graph_.weight); }

  bool improves() {
    const std::int64_t before = cut_,
                       allowed = std::max(imbalance(),
                                          static_cast<std::int64_t>(plan_.most_imbalance *
                                                                    static_cast<double>(graph_.weight)));
    std::vector<Node> trail;
    std::size_t kept = 0;
    std::int64_t best = cut_, best_imbalance = imbalance();
    ++pass_;
    for (Node v = 0; v < graph_.nodes(); ++v)
      if (touches_cut(v)) queue_.push(v, gain_[v]);
    while (!queue_.empty() && trail.size() - kept < plan_.moves_in_vain) {
      const Node v = queue_.top();
      queue_.erase(v);
      const std::int64_t w = graph_.node_weight[v],
                         after = std::abs(2 * (left_ + (is_left_[v] ? -w : w)) - graph_.weight);
      if (after > allowed && after > imbalance()) continue;
      moved_[v] = pass_;
      flip(v);
      trail.push_back(v);
      for (const Node u : graph_.neighbours(v))
        if (moved_[u] != pass_ && !queue_.has(u)) queue_.push(u, gain_[u]);
      if (cut_ < best || (cut_ == best && imbalance() < best_imbalance)) {
        best = cut_;
        best_imbalance = imbalance();
        kept = trail.size();
      }
    }
    queue_.clear();
    for (; trail.size() > kept; trail.pop_back()) flip(trail.back());
    return best < before;
  }

  bool touches_cut(Node v) const {
    return std::ranges::any_of(graph_.neighbours(v), [&](Node w) { return is_left_[w] != is_left_[v]; });
  }

  const WeightedGraph& graph_;
  const GrowthPlan& plan_;
  std::vector<char> is_left_;
  std::vector<std::int64_t> gain_;
  std::vector<int> moved_;
  NodeQueue queue_;
  std::int64_t left_ = 0, cut_ = 0;
  int pass_ = 0;
};

/// The nodes sorted by their distance from the first one, and the begin of each distance in this list.
struct Distances {
  std::vector<Node> reached;
  std::vector<std::size_t> first;  ///< one more than there are distances
};

Distances distances_from(const WeightedGraph& graph, Node node, std::vector<char>& is_reached) {
  Distances result;
  result.reached.reserve(is_reached.size());
  result.reached.push_back(node);
  std::ranges::fill(is_reached, 0);
  is_reached[node] = 1;
  for (std::size_t next = 0; next < result.reached.size();) {
    result.first.push_back(next);
    for (const std::size_t end = result.reached.size(); next < end; ++next)
      for (const Node w : graph.neighbours(result.reached[next]))
        if (!is_reached[w]) {
          is_reached[w] = 1;
          result.reached.push_back(w);
        }
  }
  result.first.push_back(result.reached.size());
  return result;
}

}  // namespace

Bisection level_bisection(const WeightedGraph& graph, const SeparatorRule& rule) {
  std::vector<char> is_reached(static_cast<std::size_t>(graph.nodes()));
  const Node far = distances_from(graph, 0, is_reached).reached.back();
  const Distances from = distances_from(graph, far, is_reached);
  std::array<std::int64_t, 3> weight{0, graph.weight, 0}, best_weight = weight;
  double best = std::numeric_limits<double>::infinity();
  std::size_t level = 0;
  for (std::size_t d = 0; d + 1 < from.first.size(); ++d) {
    weight[0] += weight[2];
    weight[2] = 0;
    for (std::size_t i = from.first[d]; i < from.first[d + 1]; ++i)
      weight[2] += graph.node_weight[from.reached[i]];
    weight[1] -= weight[2];
    const double now = cost(weight, rule);
    if (now >= best) continue;
    best = now;
    best_weight = weight;
    level = d;
  }
  Bisection result;
  result.weight = best_weight;
  result.side.assign(static_cast<std::size_t>(graph.nodes()), Half::right);
  for (std::size_t i = 0; i < from.first[level + 1]; ++i)
    result.side[from.reached[i]] = i < from.first[level] ? Half::left : Half::separator;
  return result;
}

Bisection grown_bisection(const WeightedGraph& graph, std::uint64_t seed, const GrowthPlan& plan,
                          const SeparatorRule& rule, RefinementSpace& space) {
  Random random(seed);
  EdgeBisection edges(graph, plan);
  Bisection best;
  for (int i = 0; i < plan.tries; ++i) {
    edges.grow(static_cast<Node>(random.below(static_cast<std::uint64_t>(graph.nodes()))));
    edges.refine();
    Bisection one = edges.with_thick_separator();
    refine(graph, one, rule, space);
    if (best.side.empty() || cost(one.weight, rule) < cost(best.weight, rule)) best = std::move(one);
  }
  return best;
}

}  // namespace overlapack::sparse
