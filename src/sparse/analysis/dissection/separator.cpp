#include "sparse/analysis/dissection/separator.hpp"

#include "sparse/analysis/dissection/node_queue.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::sparse {
namespace {

constexpr std::size_t at(Half side) { return static_cast<std::size_t>(side); }
constexpr Half other(Half side) { return side == Half::left ? Half::right : Half::left; }

/// Refines one bisection by passes of moves of nodes out of the separator.
class Refinement {
 public:
  Refinement(const WeightedGraph& graph, Bisection& bisection, const SeparatorRule& rule,
             RefinementSpace& space)
      : graph_(graph),
        bisection_(bisection),
        rule_(rule),
        queue_(space.queue),
        beside_(space.beside),
        moved_in_(space.moved_in),
        listed_in_(space.listed_in),
        pass_(space.pass) {
    for (Node v = 0; v < graph.nodes(); ++v)
      if (side(v) == Half::separator) separator_.push_back(v);
  }

  void run() {
    Half to = weight(Half::left) < weight(Half::right) ? Half::left : Half::right;
    int in_vain = 0;
    for (int pass = 0; pass < rule_.most_passes && in_vain < 2; ++pass, to = other(to))
      in_vain = improves(to) ? 0 : in_vain + 1;
  }

 private:
  struct Move {
    Node node;
    Half to;
    std::size_t pulled;  ///< first of its own in pulled_
  };

  Half& side(Node v) { return bisection_.side[v]; }
  std::int64_t& weight(Half s) { return bisection_.weight[at(s)]; }

  bool improves(Half to) {
    const double before = cost(bisection_.weight, rule_);
    begin_pass();
    for (const Node v : separator_) queue_.push(v, gain(v, to));
    const std::size_t limit = std::clamp(3 * separator_.size(), rule_.least_moves, rule_.most_moves);
    const double heaviest = rule_.most_share * static_cast<double>(graph_.weight);
    double best = before;
    std::size_t kept = 0;
    while (!queue_.empty() && trail_.size() - kept < 2 * limit) {
      const Node v = queue_.top();
      if (static_cast<double>(weight(to) + graph_.node_weight[v]) > heaviest &&
          weight(to) >= weight(other(to))) {
        queue_.erase(v);
        continue;
      }
      move(v, to);
      const double now = cost(bisection_.weight, rule_);
      if (now >= best) {
        if (trail_.size() - kept > limit && now > rule_.most_worse * best) break;
        continue;
      }
      best = now;
      kept = trail_.size();
    }
    undo_moves(kept);
    end_pass();
    return best < before;
  }

  void begin_pass() {
    ++pass_;
    trail_.clear();
    pulled_.clear();
    candidates_ = separator_;
    for (const Node v : separator_) weigh_neighbours(v);
  }

  void end_pass() {
    queue_.clear();
    separator_.clear();
    for (const Node v : candidates_) {
      if (side(v) != Half::separator || listed_in_[v] == pass_) continue;
      listed_in_[v] = pass_;
      separator_.push_back(v);
    }
  }

  void weigh_neighbours(Node v) {
    std::array<std::int32_t, 3> around{};
    for (const Node w : graph_.neighbours(v)) around[at(side(w))] += graph_.node_weight[w];
    beside_[at(Half::left)][v] = around[at(Half::left)];
    beside_[at(Half::right)][v] = around[at(Half::right)];
  }

  std::int64_t gain(Node v, Half to) const { return graph_.node_weight[v] - beside_[at(other(to))][v]; }

  /// Move v from the separator to side `to`. Its neighbours on the other side enter the separator.
  void move(Node v, Half to) {
    const Half from = other(to);
    trail_.push_back({v, to, pulled_.size()});
    queue_.erase(v);
    moved_in_[v] = pass_;
    side(v) = to;
    weight(to) += graph_.node_weight[v];
    weight(Half::separator) -= graph_.node_weight[v];
    for (const Node u : graph_.neighbours(v)) {
      if (side(u) == Half::separator) {
        beside_[at(to)][u] += graph_.node_weight[v];
      } else if (side(u) == from) {
        move_into_separator(u, to);
      }
    }
  }

  void move_into_separator(Node u, Half to) {
    const Half from = other(to);
    const std::int32_t mine = graph_.node_weight[u];
    pulled_.push_back(u);
    candidates_.push_back(u);
    side(u) = Half::separator;
    weight(from) -= mine;
    weight(Half::separator) += mine;
    std::array<std::int32_t, 3> around{};
    for (const Node w : graph_.neighbours(u)) {
      const Half where = side(w);
      around[at(where)] += graph_.node_weight[w];
      if (where != Half::separator) continue;
      beside_[at(from)][w] -= mine;
      if (queue_.has(w)) queue_.add(w, mine);
    }
    beside_[at(Half::left)][u] = around[at(Half::left)];
    beside_[at(Half::right)][u] = around[at(Half::right)];
    if (moved_in_[u] != pass_) queue_.push(u, gain(u, to));
  }

  void undo_moves(std::size_t kept) {
    while (trail_.size() > kept) {
      const Move last = trail_.back();
      trail_.pop_back();
      const Half from = other(last.to);
      side(last.node) = Half::separator;
      weight(last.to) -= graph_.node_weight[last.node];
      weight(Half::separator) += graph_.node_weight[last.node];
      for (; pulled_.size() > last.pulled; pulled_.pop_back()) {
        const Node u = pulled_.back();
        side(u) = from;
        weight(from) += graph_.node_weight[u];
        weight(Half::separator) -= graph_.node_weight[u];
      }
    }
  }

  const WeightedGraph& graph_;
  Bisection& bisection_;
  const SeparatorRule& rule_;
  NodeQueue& queue_;  ///< the separator's nodes, by the weight that the separator loses if they leave it
  /// For each side and each node of the separator: the weight of its neighbours on that side.
  std::array<std::vector<std::int32_t>, 2>& beside_;
  /// The last pass in which a node left the separator, and in which it was listed at the end.
  std::vector<int>&moved_in_, &listed_in_;
  int& pass_;
  std::vector<Node> separator_, candidates_, pulled_;
  std::vector<Move> trail_;
};

}  // namespace

double cost(const std::array<std::int64_t, 3>& weight, const SeparatorRule& rule) {
  const auto left = static_cast<double>(weight[0]), right = static_cast<double>(weight[1]),
             separator = static_cast<double>(weight[2]);
  const double all = left + right + separator, larger = std::max(left, right);
  const double imbalance = std::abs(left - right) / (2 * all);
  const double excess = std::max(0.0, larger / all - rule.most_share);
  constexpr double next_to_nothing = 0.01;  // of several empty separators the most balanced one is best
  return (separator + next_to_nothing) * (1 + rule.imbalance_worth * imbalance * imbalance) +
         4 * excess * all;
}

void sum_side_weights(const WeightedGraph& graph, Bisection& bisection) {
  bisection.weight = {};
  for (Node v = 0; v < graph.nodes(); ++v) bisection.weight[at(bisection.side[v])] += graph.node_weight[v];
}

void refine(const WeightedGraph& graph, Bisection& bisection, const SeparatorRule& rule,
            RefinementSpace& space) {
  Refinement(graph, bisection, rule, space).run();
}

}  // namespace overlapack::sparse
