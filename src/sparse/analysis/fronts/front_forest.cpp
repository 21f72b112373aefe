#include "sparse/analysis/fronts/front_forest.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse {
namespace {

/// The entries of L in a front. Explicit zeros are counted in the lower triangle, for all kinds of factorisation.
double lower_nnz(Index f, Index s) { return front_factor_nnz(FactorKind::cholesky, f, s); }

/// The largest share of explicit zeros that a front of this width may have.
double zeros_allowed(const AmalgamationRule& rule, Index width) {
  for (std::size_t i = 0; i < rule.width.size(); ++i)
    if (width <= rule.width[i]) return rule.zeros[i];
  return rule.wide_zeros;
}

/// Renumber the fronts that stay (into[f] == f) in the order of `visit`. The others take the number of the front that they joined, their heir.
FrontForest renumbered(const FrontForest& old, std::span<const Node> into, std::span<const Node> visit) {
  std::vector<Node> number(old.fronts(), -1);
  FrontForest result;
  Node count = 0;
  for (Node f : visit)
    if (into[f] == f) number[f] = count++;
  result.parent.resize(count);
  result.pivots.resize(count);
  result.order.resize(count);
  for (Node f : visit) {
    if (into[f] != f) continue;
    const Node up = old.parent[f];
    result.parent[number[f]] = up < 0 ? -1 : number[into[up]];
    result.pivots[number[f]] = old.pivots[f];
    result.order[number[f]] = old.order[f];
  }
  result.front_of.reserve(old.front_of.size());
  for (Node f : old.front_of) result.front_of.push_back(number[into[f]]);
  return result;
}

/// The children of each front: front p has front[start[p]] to front[start[p + 1] - 1], in ascending order.
struct Children {
  std::vector<Node> front;
  std::vector<Index> start;
};

Children children_of(const FrontForest& forest) {
  Children children;
  children.start.assign(static_cast<std::size_t>(forest.fronts()) + 1, 0);
  for (Node up : forest.parent)
    if (up >= 0) ++children.start[up + 1];
  std::partial_sum(children.start.begin(), children.start.end(), children.start.begin());
  children.front.resize(static_cast<std::size_t>(children.start.back()));
  std::vector<Index> next(children.start.begin(), children.start.end() - 1);
  for (Node f = 0; f < forest.fronts(); ++f)
    if (forest.parent[f] >= 0) children.front[next[forest.parent[f]]++] = f;
  return children;
}

/// The border rows of leaves, which the graph shows directly.
class LeafBorders {
 public:
  LeafBorders(const QuotientGraph& quotient, const EliminationTree& tree, const FrontForest& forest)
      : quotient_(quotient),
        tree_(tree),
        front_of_(forest.front_of),
        first_(static_cast<std::size_t>(forest.fronts()), -1),
        is_leaf_(first_.size(), 1),
        seen_(front_of_.size(), -1) {
    for (auto k = static_cast<Node>(front_of_.size()) - 1; k >= 0; --k) first_[front_of_[k]] = k;
    for (const Node up : forest.parent)
      if (up >= 0) is_leaf_[up] = 0;
  }

  bool is_leaf(Node f) const { return is_leaf_[f] != 0; }

  /// The number of border rows of leaf f that none of the leaves joined to `heir` has.
  Index new_rows(Node f, Node heir) const {
    Index count = 0;
    each_row(f, [&](Node k) { count += seen_[k] == heir ? 0 : quotient_.weight(tree_.order[k]); });
    return count;
  }
  void add(Node f, Node heir) {
    each_row(f, [&](Node k) { seen_[k] = heir; });
  }

 private:
  template <class Visit>
  void each_row(Node f, Visit&& visit) const {
    for (const Node u : quotient_.graph.neighbours(tree_.order[first_[f]]))
      if (front_of_[tree_.position[u]] != f) visit(tree_.position[u]);
  }

  const QuotientGraph& quotient_;
  const EliminationTree& tree_;
  const std::vector<Node>& front_of_;  // before any joins another
  std::vector<Node> first_;            // position
  std::vector<char> is_leaf_;
  std::vector<Node> seen_;  // position -> heir
};

/// Joins fronts greedily: one parent after the other, children before parents.
class Amalgamation {
 public:
  Amalgamation(const FrontForest& forest, const QuotientGraph& quotient, const EliminationTree& tree,
               FactorKind kind, const AmalgamationRule& rule, const FrontCostModel& model)
      : forest_(forest),
        kind_(kind),
        rule_(rule),
        model_(model),
        leaves_(quotient, tree, forest),
        zeros_(forest.fronts(), 0.0) {
    into_.resize(forest.fronts());
    std::iota(into_.begin(), into_.end(), 0);
    seconds_.resize(forest.fronts());
    for (Node f = 0; f < forest.fronts(); ++f)
      seconds_[f] = front_seconds(kind, forest.order[f], forest.pivots[f], model);
  }

  FrontForest result() {
    Children children = children_of(forest_);
    for (Node p = 0; p < forest_.fronts(); ++p)
      join_children(
          p, {children.front.data() + children.start[p], children.front.data() + children.start[p + 1]});
    // A front joined to one that was joined itself later belongs to the last heir.
    for (Node f = forest_.fronts() - 1; f >= 0; --f) into_[f] = into_[into_[f]];
    for (Node f = 0; f < forest_.fronts(); ++f)
      if (forest_.parent[f] >= 0) forest_.parent[f] = into_[forest_.parent[f]];
    return renumbered(forest_, into_, postorder(forest_.parent));
  }

 private:
  /// Join the children of p with p, or else with each other.
  void join_children(Node p, std::span<Node> children) {
    const Index rows = forest_.order[p];
    // The largest border first, since s_c (f_p - b_c) entries are added when child c joins parent p.
    std::ranges::sort(children,
                      [&](Node a, Node b) { return border(a) != border(b) ? border(a) > border(b) : a < b; });
    const auto others =
        std::ranges::remove_if(children, [&](Node c) { return joins(c, p, forest_.order[p]); });
    Node heir = -1;
    for (const Node c : std::span(children.begin(), others.begin())) {
      if (heir >= 0 && joins_sibling(c, heir, rows)) continue;
      heir = c;
      if (leaves_.is_leaf(c)) leaves_.add(c, heir);
    }
  }

  /// Join child c with its sibling `heir`, if that saves time. A child's border is part of the `rows` of its parent. If it is not all of them,
  /// it is known for leaves only.
  bool joins_sibling(Node c, Node heir, Index rows) {
    const bool are_leaves = leaves_.is_leaf(c) && leaves_.is_leaf(heir);
    const bool are_all = std::max(border(c), border(heir)) == rows;
    if (!are_all && !are_leaves) return false;
    const Index joint = are_all ? rows : border(heir) + leaves_.new_rows(c, heir);
    if (!joins(c, heir, forest_.pivots[heir] + joint)) return false;
    if (are_leaves) leaves_.add(c, heir);
    return true;
  }

  /// Join front c with `heir` if that saves time. Returns whether it did. order: of the joint front, without the pivots of c
  bool joins(Node c, Node heir, Index order) {
    const Index s = forest_.pivots[c] + forest_.pivots[heir], f = forest_.pivots[c] + order;
    const double added =
        static_cast<double>(forest_.pivots[c]) * static_cast<double>(order - border(c)) +
        static_cast<double>(forest_.pivots[heir]) * static_cast<double>(order - forest_.order[heir]);
    const double zeros = zeros_[c] + zeros_[heir] + added;
    const double saved = contribution_nnz(kind_, forest_.order[c], forest_.pivots[c]);
    if (added >= rule_.zeros_for_saved * saved && zeros > zeros_allowed(rule_, s) * lower_nnz(f, s))
      return false;
    const double joint = front_seconds(kind_, f, s, model_);
    if (joint > seconds_[c] + seconds_[heir]) return false;
    into_[c] = heir;
    forest_.pivots[heir] = s;
    forest_.order[heir] = f;
    zeros_[heir] = zeros;
    seconds_[heir] = joint;
    return true;
  }

  Index border(Node f) const { return forest_.order[f] - forest_.pivots[f]; }

  FrontForest forest_;
  FactorKind kind_;
  const AmalgamationRule& rule_;
  const FrontCostModel& model_;
  LeafBorders leaves_;
  std::vector<Node> into_;
  std::vector<double> zeros_, seconds_;
};

}  // namespace

FrontForest fundamental_fronts(const QuotientGraph& quotient, const EliminationTree& tree,
                               std::span<const Index> counts) {
  const Node n = static_cast<Node>(tree.parent.size());
  std::vector<Node> children(n, 0);
  for (Node up : tree.parent)
    if (up >= 0) ++children[up];
  FrontForest forest;
  forest.front_of.resize(n);
  for (Node k = 0; k < n; ++k) {
    const Index width = quotient.weight(tree.order[k]);
    // Column k - 1 without its own rows is column k: k is the parent and no other child adds rows.
    const bool continues = k > 0 && tree.parent[k - 1] == k && children[k] == 1 &&
                           counts[k - 1] - quotient.weight(tree.order[k - 1]) == counts[k];
    if (continues) {
      forest.pivots.back() += width;
    } else {
      forest.pivots.push_back(width);
      forest.order.push_back(counts[k]);
    }
    forest.front_of[k] = static_cast<Node>(forest.pivots.size() - 1);
  }
  forest.parent.assign(forest.pivots.size(), -1);
  for (Node k = 0; k < n; ++k) {
    const Node up = tree.parent[k];
    if (up >= 0 && forest.front_of[up] != forest.front_of[k])
      forest.parent[forest.front_of[k]] = forest.front_of[up];
  }
  return forest;
}

FrontForest amalgamated(const FrontForest& forest, const QuotientGraph& quotient, const EliminationTree& tree,
                        FactorKind kind, const AmalgamationRule& rule, const FrontCostModel& model) {
  return Amalgamation(forest, quotient, tree, kind, rule, model).result();
}

FrontForest ordered_for_memory(const FrontForest& forest, FactorKind kind) {
  const Node fronts = forest.fronts();
  std::vector<double> left(fronts, 0), peak(fronts, 0);
  // All fronts by their parents, then by peak - left descending: needs the children's peaks, so parents in turn.
  auto [child, child_start] = children_of(forest);
  const auto surplus = [&](Node f) { return peak[f] - left[f]; };
  const auto by_surplus = [&](Node a, Node b) {
    return surplus(a) != surplus(b) ? surplus(a) > surplus(b) : a < b;
  };
  std::vector<Node> roots;
  for (Node f = 0; f < fronts; ++f) {
    const auto first = child.begin() + child_start[f], last = child.begin() + child_start[f + 1];
    std::sort(first, last, by_surplus);
    double held = 0, borders = 0;
    for (auto c = first; c != last; ++c) {
      peak[f] = std::max(peak[f], held + peak[*c]);
      held += left[*c];
      borders += contribution_nnz(kind, forest.order[*c], forest.pivots[*c]);
    }
    const double factor = front_factor_nnz(kind, forest.order[f], forest.pivots[f]);
    const double border = contribution_nnz(kind, forest.order[f], forest.pivots[f]);
    peak[f] = std::max(peak[f], held + factor + border);
    left[f] = held - borders + factor + border;
    if (forest.parent[f] < 0) roots.push_back(f);
  }
  std::ranges::sort(roots, by_surplus);

  child.insert(child.end(), roots.begin(), roots.end());
  std::vector<Node> into(fronts);
  std::iota(into.begin(), into.end(), 0);
  return renumbered(forest, into, postorder(forest.parent, child));
}

double predicted_seconds(const FrontForest& forest, FactorKind kind, const FrontCostModel& model) {
  double seconds = 0;
  for (Node f = 0; f < forest.fronts(); ++f)
    seconds += front_seconds(kind, forest.order[f], forest.pivots[f], model);
  return seconds;
}

}  // namespace overlapack::sparse
