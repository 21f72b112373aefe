#include "sparse/analysis/way_choice.hpp"

#include "comm/tasks.hpp"
#include "sparse/analysis/block_form.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace overlapack::sparse {
namespace {

/// The quotient graph to order: variables are merged by the given groups, and then if they are indistinguishable.
QuotientGraph variables_to_order(const Graph& graph, std::vector<Node> groups_given,
                                 const AnalysisPlan& plan) {
  QuotientGraph given = groups_given.empty() ? trivial_quotient(graph) : quotient(graph, groups_given);
  if (order_is_given(plan) || graph.nodes() == 0) return given;
  const std::vector<Node> group = indistinguishable_groups(given.graph);
  const double groups = *std::max_element(group.begin(), group.end()) + 1.0;
  if (groups > plan.compress_below * given.graph.nodes()) return given;
  if (groups_given.empty()) return quotient(graph, group);
  for (Node& g : groups_given) g = group[g];
  return quotient(graph, groups_given);
}

/// The pairs of a matching, joined with the blocks of variables unless that makes groups of more than `most` variables.
std::vector<Node> pairs_in_blocks(const PivotPartners& partners, const std::vector<Node>& blocks, Node most) {
  std::vector<Node> pairs = pair_groups(partners);
  if (blocks.empty()) return pairs;
  std::vector<Node> both = joined_groups(pairs, blocks);
  std::vector<Node> members(both.size());
  Node largest = 0;
  for (const Node g : both) largest = std::max(largest, ++members[static_cast<std::size_t>(g)]);
  return largest <= most ? both : pairs;
}

/// The number of entries of the variables' graph and its diagonal, if all variables of a node are in the rows of all its neighbours.
double entries_of(const QuotientGraph& quotient) {
  double entries = 0;
  for (Node v = 0; v < quotient.graph.nodes(); ++v) {
    Index row = quotient.weight(v);
    for (const Node w : quotient.graph.neighbours(v)) row += quotient.weight(w);
    entries += static_cast<double>(quotient.weight(v) * row);
  }
  return entries;
}

/// One way of treating pairs: the merged variables, and those that wait for partners (empty: none wait).
struct Way {
  QuotientGraph quotient;
  PivotPartners followed;
};

class WayChoice {
 public:
  /// ends_at_low_fill: take AMD's tree without a comparison if it can be eliminated column by column.
  WayChoice(const Graph& graph, const PivotPartners& partners, const AnalysisPlan& plan,
            bool ends_at_low_fill, comm::Tasks& tasks)
      : graph_(graph), partners_(partners), plan_(plan), ends_at_low_fill_(ends_at_low_fill), tasks_(tasks) {
    if (order_is_given(plan)) return;
    found_ = variable_blocks(graph, plan.blocks);
    if (found_.size > 1) blocks_ = block_groups(graph, found_, plan.blocks);
  }

  Choice best() const {
    if (has_pairs() && !plan_.pivot_pairs) return better_of_both();
    const Way way = !has_pairs()                             ? in_blocks({})
                    : plan_.pivot_pairs == PivotPairs::merge ? way_by_merging()
                                                             : in_blocks(partners_);
    return choice_of(way, [&] { return amd_tree(way); });
  }

 private:
  bool has_pairs() const {
    if (plan_.pivot_pairs == PivotPairs::off || order_is_given(plan_)) return false;
    for (std::size_t v = 0; v < partners_.partner.size(); ++v)
      if (partners_.partner[v] != static_cast<Node>(v)) return true;
    return false;
  }

  Way way_by_merging() const {
    const Node most = plan_.blocks.most_joined * found_.size;
    return {variables_to_order(graph_, pairs_in_blocks(partners_, blocks_, most), plan_), {}};
  }
  Way in_blocks(PivotPartners followed) const {
    return {variables_to_order(graph_, blocks_, plan_), std::move(followed)};
  }

  OrderedTree amd_tree(const Way& way) const {
    return tree_of(Ordering::amd, order_by_amd(way.quotient, plan_), way.quotient, way.followed, plan_,
                   tasks_);
  }

  bool ends_at(const OrderedTree& tree) const { return ends_at_low_fill_ && !wants_fronts(tree, plan_); }

  Choice choice_of(const Way& way, const std::function<OrderedTree()>& by_amd) const {
    const auto is_enough = [&](const OrderedTree& tree) { return ends_at(tree); };
    return {best_tree(way.quotient, way.followed, plan_, by_amd, is_enough, tasks_), found_.size};
  }

  /// Choose the better of both ways: by their entries if these differ enough, else by AMD's trees or by those of the given ordering.
  Choice better_of_both() const {
    std::array<Way, 2> ways;
    std::array<double, 2> entries;
    tasks_.for_each(2, [&](Index i) {
      ways[i] = i == 0 ? way_by_merging() : in_blocks(partners_);
      entries[i] = entries_of(ways[i].quotient);
    });
    const bool is_same = entries[0] == entries[1];  // variables of a pair had the same neighbours
    if (is_same || entries[0] >= plan_.follow_fill * entries[1]) {
      const Way& way = ways[is_same ? 0 : 1];
      return choice_of(way, [&] { return amd_tree(way); });
    }
    return plan_.ordering ? better_as_asked(ways) : better_by_amd(ways);
  }

  bool is_following_cheaper(const std::array<OrderedTree, 2>& trees) const {
    return trees[1].seconds < plan_.follow_worth * trees[0].seconds;
  }

  Choice better_as_asked(const std::array<Way, 2>& ways) const {
    std::array<OrderedTree, 2> trees;
    for (std::size_t i = 0; i < ways.size(); ++i) trees[i] = choice_of(ways[i], {}).tree;
    return {std::move(trees[is_following_cheaper(trees) ? 1 : 0]), found_.size};
  }

  /// Choose by AMD's trees of both ways. Meanwhile nested dissection orders the merged pairs; it is given up if `follow` is chosen.
  Choice better_by_amd(const std::array<Way, 2>& ways) const {
    std::array<OrderedTree, 2> trees;
    bool follows = false;
    const auto merged_by_amd = [&] {
      tasks_.for_each(2, [&](Index i) { trees[i] = amd_tree(ways[i]); });
      follows = is_following_cheaper(trees);
      return std::move(trees[0]);
    };
    const auto is_enough = [&](const OrderedTree& tree) { return follows || ends_at(tree); };
    Choice merged{best_tree(ways[0].quotient, ways[0].followed, plan_, merged_by_amd, is_enough, tasks_),
                  found_.size};
    return follows ? choice_of(ways[1], [&] { return std::move(trees[1]); }) : std::move(merged);
  }

  const Graph& graph_;
  const PivotPartners& partners_;
  const AnalysisPlan& plan_;
  bool ends_at_low_fill_;
  comm::Tasks& tasks_;
  VariableBlocks found_;
  std::vector<Node> blocks_;  ///< block_groups, or empty
};

}  // namespace

bool order_is_given(const AnalysisPlan& plan) {
  return plan.ordering == Ordering::natural || plan.ordering == Ordering::user;
}

Choice choose_order(const Graph& graph, const PivotPartners& partners, const AnalysisPlan& plan,
                    bool ends_at_low_fill, comm::Tasks& tasks) {
  return WayChoice(graph, partners, plan, ends_at_low_fill, tasks).best();
}

}  // namespace overlapack::sparse
