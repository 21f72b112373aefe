#include "sparse/analysis/dissection/leaf_order.hpp"

#include "sparse/analysis/graph/ordering.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace overlapack::sparse {
namespace {

constexpr Node most_exact = 1000;  ///< inner nodes whose rows are kept as bits

/// The graph that elimination leaves, as a bit matrix with a row for each inner node.
class EliminationByBits {
 public:
  explicit EliminationByBits(const Leaf& leaf)
      : inner_(leaf.inner),
        words_((leaf.node_weight.size() + 63) / 64),
        weight_(leaf.node_weight),
        bits_(static_cast<std::size_t>(leaf.inner) * words_),
        degree_(static_cast<std::size_t>(leaf.inner)) {
    has_equal_weights_ = std::ranges::adjacent_find(weight_, std::not_equal_to<>()) == weight_.end();
    for (Node v = 0; v < inner_; ++v) {
      for (const Node w : leaf.neighbours(v)) set(v, w);
      degree_[v] = degree(v);
    }
  }

  std::vector<Node> order() {
    std::vector<Node> order;
    order.reserve(static_cast<std::size_t>(inner_));
    std::vector<Node> left(static_cast<std::size_t>(inner_));
    std::iota(left.begin(), left.end(), 0);
    while (!left.empty()) {
      const auto next = std::ranges::min_element(left, {}, [&](Node v) { return degree_[v]; });
      const Node pivot = *next;
      order.push_back(pivot);
      left.erase(next);
      eliminate(pivot);
    }
    return order;
  }

 private:
  std::uint64_t* row(Node v) { return bits_.data() + static_cast<std::size_t>(v) * words_; }
  void set(Node v, Node w) { row(v)[w / 64] |= std::uint64_t{1} << (w % 64); }
  void clear(Node v, Node w) { row(v)[w / 64] &= ~(std::uint64_t{1} << (w % 64)); }

  std::int64_t degree(Node v) {
    std::int64_t sum = 0;
    const std::uint64_t* const bits = row(v);
    for (std::size_t k = 0; k < words_; ++k) {
      if (has_equal_weights_) {
        sum += std::popcount(bits[k]);
        continue;
      }
      for (std::uint64_t rest = bits[k]; rest != 0; rest &= rest - 1)
        sum += weight_[64 * k + static_cast<std::size_t>(std::countr_zero(rest))];
    }
    return sum;
  }

  /// The neighbours of the pivot become neighbours of each other.
  void eliminate(Node pivot) {
    const std::uint64_t* const clique = row(pivot);
    for (std::size_t k = 0; k < words_; ++k)
      for (std::uint64_t rest = clique[k]; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<Node>(64 * k + static_cast<std::size_t>(std::countr_zero(rest)));
        if (v >= inner_) return;
        std::uint64_t* const mine = row(v);
        for (std::size_t i = 0; i < words_; ++i) mine[i] |= clique[i];
        clear(v, v);
        clear(v, pivot);
        degree_[v] = degree(v);
      }
  }

  Node inner_;
  std::size_t words_;
  std::span<const std::int32_t> weight_;
  bool has_equal_weights_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::int64_t> degree_;
};

Graph inner_graph(const Leaf& leaf) {
  Graph graph;
  for (Node v = 0; v < leaf.inner; ++v) {
    for (const Node w : leaf.neighbours(v))
      if (w < leaf.inner) graph.neighbour.push_back(w);
    graph.start.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

}  // namespace

std::vector<Node> leaf_order(const Leaf& leaf) {
  return leaf.inner <= most_exact ? EliminationByBits(leaf).order() : amd_order(inner_graph(leaf));
}

}  // namespace overlapack::sparse
