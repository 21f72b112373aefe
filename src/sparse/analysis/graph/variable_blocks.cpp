#include "sparse/analysis/graph/variable_blocks.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace overlapack::sparse {
namespace {

/// A grouping of n variables to blocks of `size`. phase > 0: the blocks are out of phase by so many variables.
class Numbering {
 public:
  Numbering(Node n, Node size, bool by_component, Node phase)
      : points_(n / size), size_(size), by_component_(by_component), phase_(phase) {}

  Node points() const { return static_cast<Node>(points_); }
  Node size() const { return size_; }
  Node point_of(Node variable) const {
    if (!by_component_) return static_cast<Node>((variable - phase_ + variables()) / size_ % points_);
    return static_cast<Node>((variable % points_ + variable / points_ * phase_) % points_);
  }
  Node variable(Index point, Index component) const {
    if (!by_component_) return static_cast<Node>((point * size_ + component + phase_) % variables());
    return static_cast<Node>(component * points_ + (point + (points_ - phase_) * component) % points_);
  }

 private:
  Index variables() const { return size_ * points_; }

  Index points_;  // a sum of numbers of variables may be no Node
  Node size_;
  bool by_component_;
  Index phase_;
};

/// A set of the points that a block row has met. It is emptied without a pass over all points.
class Met {
 public:
  explicit Met(Node points) : last_(static_cast<std::size_t>(points), 0) {}
  void begin() { ++row_; }
  /// Add a point; returns whether it is new.
  bool mark(Node point) { return std::exchange(last_[static_cast<std::size_t>(point)], row_) != row_; }

 private:
  std::vector<Node> last_;
  Node row_ = 0;
};

/// The density of the blocks in some block rows: the share of the blocks' entries that are edges or on the diagonal.
double density(const Graph& graph, const Numbering& blocks, Node sample, Met& met) {
  const Node step = std::max<Node>(1, blocks.points() / sample);
  double entries = 0, places = 0;
  for (Node point = step / 2; point < blocks.points(); point += step) {
    met.begin();
    Index columns = met.mark(point);
    for (Node c = 0; c < blocks.size(); ++c) {
      const auto neighbours = graph.neighbours(blocks.variable(point, c));
      entries += 1 + static_cast<double>(neighbours.size());
      for (const Node w : neighbours) columns += met.mark(blocks.point_of(w));
    }
    places += static_cast<double>(columns) * blocks.size() * blocks.size();
  }
  return places > 0 ? entries / places : 0;
}

bool are_blocks(const Graph& graph, Node size, bool by_component, const VariableBlockRule& rule, Met& met) {
  const auto of_phase = [&](Node phase) {
    return density(graph, {graph.nodes(), size, by_component, phase}, rule.sample, met);
  };
  const double in_phase = of_phase(0);
  if (in_phase < rule.least_density) return false;
  const Node phases = by_component ? 2 : size;
  for (Node phase = 1; phase < phases; ++phase)
    if (in_phase < rule.least_ratio * of_phase(phase)) return false;
  return true;
}

/// Cuts blocks of consecutive variables whose halves have different neighbours.
class Halves {
 public:
  Halves(const Graph& graph, const std::vector<Node>& block, double least_alike)
      : graph_(graph),
        block_(block),
        least_alike_(least_alike),
        seen_{std::vector<Node>(block.size(), -1), std::vector<Node>(block.size(), -1)} {}

  /// Call found(first, size) for each part that stays together.
  template <class Found>
  void cut(Node first, Node size, Found&& found) {
    if (size % 2 != 0 || size < 4 || are_alike(first, size / 2)) return found(first, size);
    cut(first, size / 2, found);
    cut(first + size / 2, size / 2, found);
  }

 private:
  /// Whether the `size` variables from `first` on and the `size` variables behind them have neighbours in the same blocks.
  bool are_alike(Node first, Node size) {
    ++stamp_;
    Index all = 0, common = 0;
    for (const int half : {0, 1})
      for (Node v = first + half * size; v < first + (half + 1) * size; ++v)
        for (const Node w : graph_.neighbours(v)) {
          const auto b = static_cast<std::size_t>(block_[static_cast<std::size_t>(w)]);
          const bool is_own = block_[static_cast<std::size_t>(w)] == block_[static_cast<std::size_t>(first)];
          if (is_own || std::exchange(seen_[half][b], stamp_) == stamp_) continue;
          const bool is_in_both = half == 1 && seen_[0][b] == stamp_;
          all += !is_in_both;
          common += is_in_both;
        }
    return static_cast<double>(common) >= least_alike_ * static_cast<double>(all);
  }

  const Graph& graph_;
  const std::vector<Node>& block_;
  double least_alike_;
  std::array<std::vector<Node>, 2> seen_;  ///< block -> when it was met last, by half
  Node stamp_ = 0;
};

}  // namespace

VariableBlocks variable_blocks(const Graph& graph, const VariableBlockRule& rule) {
  const Node n = graph.nodes();
  Met met(n / 2);
  for (Node size = rule.most; size > 1; --size) {
    if (n % size != 0 || n / size < rule.least_points) continue;
    for (const bool by_component : {false, true})
      if (are_blocks(graph, size, by_component, rule, met)) return {size, by_component};
  }
  return {};
}

std::vector<Node> block_groups(const Graph& graph, const VariableBlocks& blocks,
                               const VariableBlockRule& rule) {
  const Node variables = graph.nodes();
  const Numbering numbering(variables, blocks.size, blocks.by_component, 0);
  std::vector<Node> group(static_cast<std::size_t>(variables));
  for (Node v = 0; v < variables; ++v) group[static_cast<std::size_t>(v)] = numbering.point_of(v);
  if (blocks.by_component || blocks.size % 2 != 0 || blocks.size < 4) return group;
  const std::vector<Node> whole = group;
  Halves halves(graph, whole, rule.least_alike);
  Node groups = 0;
  for (Node first = 0; first < variables; first += blocks.size)
    halves.cut(first, blocks.size,
               [&](Node part, Node size) { std::fill_n(group.begin() + part, size, groups++); });
  return group;
}

std::vector<Node> joined_groups(std::vector<Node> a, std::vector<Node> b) {
  const std::size_t n = a.size();
  // A tree of variables for each group, its root the first one.
  std::vector<Node> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&](Node v) {
    while (parent[static_cast<std::size_t>(v)] != v)
      v = parent[static_cast<std::size_t>(v)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(v)])];
    return v;
  };
  for (const std::vector<Node>* const groups : {&a, &b}) {
    std::vector<Node> first(n, -1);
    for (std::size_t v = 0; v < n; ++v) {
      Node& leader = first[static_cast<std::size_t>((*groups)[v])];
      if (leader < 0) leader = static_cast<Node>(v);
      const auto [less, more] = std::minmax({root_of(leader), root_of(static_cast<Node>(v))});
      parent[static_cast<std::size_t>(more)] = less;
    }
  }
  Node groups = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const Node root = root_of(static_cast<Node>(v));
    a[v] = root == static_cast<Node>(v) ? groups++ : a[static_cast<std::size_t>(root)];
  }
  return a;
}

}  // namespace overlapack::sparse
