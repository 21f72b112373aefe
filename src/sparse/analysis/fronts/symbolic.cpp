#include "sparse/analysis/fronts/symbolic.hpp"

#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/fronts/clusters.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overlapack::sparse {
namespace {

/// The positions grouped by front, ascending in each front.
std::vector<Node> positions_by_front(const FrontForest& forest) {
  std::vector<Index> next(forest.fronts() + 1, 0);
  for (Node f : forest.front_of) ++next[f + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Node> sorted(forest.front_of.size());
  for (Node k = 0; k < static_cast<Node>(sorted.size()); ++k) sorted[next[forest.front_of[k]]++] = k;
  return sorted;
}

AssemblyTree sizes_only(const FrontForest& forest) {
  std::vector<Index> first_pivot{0}, row_start{0};
  for (Node f = 0; f < forest.fronts(); ++f) {
    first_pivot.push_back(first_pivot.back() + forest.pivots[f]);
    row_start.push_back(row_start.back() + forest.order[f] - forest.pivots[f]);
  }
  const Index n = first_pivot.back();
  return {.n = n,
          .first_pivot = std::move(first_pivot),
          .parent = {forest.parent.begin(), forest.parent.end()},
          .row_start = std::move(row_start),
          .row = {}};
}

/// A subtree: the fronts first, ..., root.
struct Subtree {
  Node first, root;
};

/// The largest disjoint subtrees with at most `most` pivots each, in ascending order.
std::vector<Subtree> subtrees_of(const FrontForest& forest, Index most) {
  std::vector<Node> first(static_cast<std::size_t>(forest.fronts()), -1);
  std::vector<Index> pivots(first.size());
  std::vector<Subtree> found;
  for (Node f = 0; f < forest.fronts(); ++f) {
    if (first[f] < 0) first[f] = f;
    pivots[f] += forest.pivots[f];
    const Node up = forest.parent[f];
    if (up < 0) continue;
    if (first[up] < 0) first[up] = first[f];
    pivots[up] += pivots[f];
  }
  for (Node f = 0; f < forest.fronts(); ++f)
    if (pivots[f] <= most && (forest.parent[f] < 0 || pivots[forest.parent[f]] > most))
      found.push_back({first[f], f});
  return found;
}

/// Finds the rows of fronts. Row i of L is in all fronts on the paths from its entries A(i, j), j < i, up to the front that eliminates i. Nodes
/// are named by their index in the list of all fronts' pivots (by_front).
class RowFinder {
 public:
  RowFinder(const QuotientGraph& quotient, const EliminationTree& tree, const FrontForest& forest,
            std::span<const Node> by_front, AssemblyTree& fronts)
      : quotient_(quotient),
        tree_(tree),
        forest_(forest),
        by_front_(by_front),
        index_(by_front.size()),
        number_(by_front.size()),
        next_(fronts.row_start.begin(), fronts.row_start.end() - 1),
        row_(static_cast<std::size_t>(fronts.row_start.back())),
        seen_by_(static_cast<std::size_t>(forest.fronts()), -1),
        above_(seen_by_.size()),
        variables_(fronts.n) {
    std::int32_t number = 0;
    for (std::size_t i = 0; i < by_front.size(); ++i) {
      index_[by_front[i]] = static_cast<Node>(i);
      number_[i] = number;
      number += quotient.weight(tree.order[by_front[i]]);
    }
    std::iota(above_.begin(), above_.end(), 0);
  }

  void run(comm::Tasks& tasks) {
    constexpr Index parts = 64;
    const std::vector<Subtree> subtrees =
        subtrees_of(forest_, std::max(variables_ / parts, comm::Tasks::lines));
    const auto count = static_cast<Index>(subtrees.size());  // of a star as many as it has leaves
    tasks.for_ranges(
        count,
        [&](Index begin, Index end) {
          for (Index s = begin; s < end; ++s) find_in(subtrees[s]);
        },
        1 + count / (4 * parts));
    // Above them a path begins at the parent of a subtree.
    for (const Subtree& one : subtrees)
      std::fill(above_.begin() + one.first, above_.begin() + one.root + 1, forest_.parent[one.root]);
    std::size_t s = 0;
    for (Node i = 0; i < static_cast<Node>(by_front_.size()); ++i) {
      const Node own = front_of(i);
      while (s < subtrees.size() && subtrees[s].root < own) ++s;
      if (s < subtrees.size() && subtrees[s].first <= own) continue;
      for (const Node u : neighbours(i))
        if (const Node f = forest_.front_of[tree_.position[u]]; f < own) add_to_ancestors(i, above_[f], own);
    }
  }

  std::vector<std::int32_t> take_rows() { return std::move(row_); }
  const std::vector<Index>& next() const { return next_; }

 private:
  Node front_of(Node i) const { return forest_.front_of[by_front_[i]]; }
  std::span<const Node> neighbours(Node i) const {
    return quotient_.graph.neighbours(tree_.order[by_front_[i]]);
  }

  /// Add row i to front f and its ancestors below front `end`.
  void add_to_ancestors(Node i, Node f, Node end) {
    const auto weight = quotient_.weight(tree_.order[by_front_[i]]);
    for (; f >= 0 && f < end && seen_by_[f] != i; f = forest_.parent[f]) {
      seen_by_[f] = i;
      std::iota(row_.begin() + next_[f], row_.begin() + next_[f] + weight, number_[i]);
      next_[f] += weight;
    }
  }

  void find_in(const Subtree& subtree) {
    const auto is_inside = [&](Node f) { return f >= subtree.first && f <= subtree.root; };
    std::vector<std::pair<Node, Node>> beside;  // rows above the subtree, and fronts of their entries in it
    for (Node i = first_index_of(subtree.first);
         i < static_cast<Node>(by_front_.size()) && is_inside(front_of(i)); ++i) {
      const Node own = front_of(i);
      for (const Node u : neighbours(i)) {
        const Node k = tree_.position[u], f = forest_.front_of[k];
        if (f > subtree.root)
          beside.emplace_back(index_[k], own);
        else if (is_inside(f) && f < own)
          add_to_ancestors(i, f, own);
      }
    }
    std::ranges::sort(beside);
    for (const auto& [i, f] : beside) add_to_ancestors(i, f, subtree.root + 1);
  }

  Node first_index_of(Node f) const {
    const auto found =
        std::ranges::lower_bound(by_front_, f, {}, [&](Node k) { return forest_.front_of[k]; });
    return static_cast<Node>(found - by_front_.begin());
  }

  const QuotientGraph& quotient_;
  const EliminationTree& tree_;
  const FrontForest& forest_;
  std::span<const Node> by_front_;
  std::vector<Node> index_;           ///< position -> its index in by_front
  std::vector<std::int32_t> number_;  ///< of its first variable, by index
  std::vector<Index> next_;           ///< where the next row of each front goes
  std::vector<std::int32_t> row_;
  std::vector<Node> seen_by_;  ///< the last row of each front
  std::vector<Node> above_;    ///< the first front above its subtree, or itself
  Index variables_;
};

}  // namespace

SymbolicFactor symbolic_factor(const QuotientGraph& quotient, const EliminationTree& tree,
                               const FrontForest& forest, Index cluster, comm::Tasks& tasks) {
  SymbolicFactor result;
  result.tree = sizes_only(forest);
  std::vector<Node> by_front = positions_by_front(forest);
  if (cluster > 0) order_by_clusters(quotient, tree, forest, cluster, by_front);
  result.variable.reserve(static_cast<std::size_t>(result.tree.n));
  for (const Node k : by_front) {
    const auto members = quotient.members(tree.order[k]);
    result.variable.insert(result.variable.end(), members.begin(), members.end());
  }
  RowFinder rows(quotient, tree, forest, by_front, result.tree);
  rows.run(tasks);
  for (Node f = 0; f < forest.fronts(); ++f)
    if (rows.next()[f] != result.tree.row_start[f + 1])
      throw Error(Status::internal, "a front's rows differ from its column count");
  result.tree.row = rows.take_rows();
  return result;
}

}  // namespace overlapack::sparse
