#include "sparse/analysis/tree_choice.hpp"

#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

namespace overlapack::sparse {
namespace {

std::string_view step_of(Ordering ordering) {
  switch (ordering) {
    case Ordering::dissection:
      return "nested dissection";
    case Ordering::metis:
      return "ordering by METIS";
    case Ordering::amd:
      return "ordering by AMD";
    case Ordering::scotch:
      return "ordering by SCOTCH";
    case Ordering::natural:
    case Ordering::user:
      break;
  }
  return "given order";
}

/// What is tried for the plan's effort: candidates differ in how much balance is worth.
std::vector<DissectionPlan> dissection_plans(const AnalysisPlan& plan) {
  std::vector<DissectionPlan> plans{plan.dissection};
  BisectionPlan& first = plans.front().bisection;
  if (plan.effort == OrderingEffort::low) first.cycles = 1;
  if (plan.effort != OrderingEffort::high) return plans;
  for (const SeparatorRule& rule : {SeparatorRule{.most_share = 0.7, .imbalance_worth = 2},
                                    SeparatorRule{.most_share = 0.6, .imbalance_worth = 1}}) {
    plans.push_back(plan.dissection);
    plans.back().bisection.rule = rule;
    ++plans.back().seed;
  }
  return plans;
}

/// Dissections by some plans, begun together.
class Dissections {
 public:
  Dissections(const QuotientGraph& quotient, const AnalysisPlan& plan, std::span<const DissectionPlan> how,
              comm::Tasks& tasks)
      : plan_(plan),
        tasks_(tasks),
        nodes_(std::max<double>(1, quotient.graph.nodes()) * static_cast<double>(how.size())) {
    for (const DissectionPlan& one : how) all_.emplace_back(quotient, plan.dense_factor, one, tasks);
  }

  void begin() {
    for (Dissection& one : all_) tasks_.add(nodes_, [&one] { one.begin(); });
  }
  void give_up() {
    for (Dissection& one : all_) one.give_up();
  }
  /// Runs them, and `beside` at first.
  void run(const std::function<void()>& beside) {
    const auto progress = [&](double ordered) {
      if (ordered > 0) plan_.report_progress(step_of(Ordering::dissection), 0.25 + 0.55 * ordered / nodes_);
    };
    constexpr double first = std::numeric_limits<double>::max();
    tasks_.run(
        [&] {
          if (beside) tasks_.add(first, beside);
          begin();
        },
        progress);
  }
  std::vector<std::vector<Node>> orders() const {
    std::vector<std::vector<Node>> result;
    for (const Dissection& one : all_) result.push_back(one.order());
    return result;
  }

 private:
  const AnalysisPlan& plan_;
  comm::Tasks& tasks_;
  double nodes_;
  std::deque<Dissection> all_;
};

/// The fastest tree of `so_far` and these orders.
OrderedTree best_of(OrderedTree so_far, std::vector<std::vector<Node>> orders, const QuotientGraph& quotient,
                    const PivotPartners& partners, const AnalysisPlan& plan, comm::Tasks& tasks) {
  plan.report_progress("elimination tree", 0.85);
  std::vector<OrderedTree> trees(orders.size());
  tasks.for_each(static_cast<Index>(orders.size()), [&](Index i) {
    trees[i] = tree_of(Ordering::dissection, std::move(orders[i]), quotient, partners, plan);
  });
  const double first_s = so_far.seconds;
  double least_s = std::numeric_limits<double>::infinity();
  for (OrderedTree& tree : trees) {
    least_s = std::min(least_s, tree.seconds);
    if (tree.seconds < so_far.seconds) so_far = std::move(tree);
  }
  so_far.other_seconds = so_far.ordering == Ordering::dissection ? first_s : least_s;
  return so_far;
}

/// Is what dissection may save worth its time?
bool wants_dissection(const OrderedTree& by_amd, const Graph& graph, const AnalysisPlan& plan) {
  const auto entries = static_cast<double>(graph.nodes()) + static_cast<double>(graph.neighbour.size());
  const double dissection_s = plan.auto_dissection_s_per_entry * entries;
  // Another order changes flops and assembly, hardly the number of fronts and their fixed costs.
  const double savable_s = by_amd.seconds - plan.cost.rates.front_s * by_amd.forest.fronts();
  return savable_s > plan.auto_dissection_worth * dissection_s;
}

}  // namespace

std::vector<Node> checked_user_order(const std::vector<Index>& user_order, Node n) {
  std::vector<char> seen(n, 0);
  if (static_cast<Index>(user_order.size()) != n)
    throw Error(Status::bad_input, "the user's ordering has " + std::to_string(user_order.size()) +
                                       " entries, the matrix " + std::to_string(n) +
                                       " rows; give every variable once");
  for (Index v : user_order) {
    if (v < 0 || v >= n || seen[v])
      throw Error(Status::bad_input,
                  "the user's ordering is no permutation: " + std::to_string(v) +
                      " is out of range or appears twice; give every variable from 0 to n - 1 once");
    seen[v] = 1;
  }
  return {user_order.begin(), user_order.end()};
}

std::vector<Node> order_by(Ordering ordering, const QuotientGraph& quotient, const AnalysisPlan& plan,
                           comm::Tasks& tasks) {
  plan.report_progress(step_of(ordering), ordering == Ordering::amd ? 0.14 : 0.25);
  switch (ordering) {
    case Ordering::dissection:
      return dissection_order(quotient, plan.dense_factor, plan.dissection, tasks);
    case Ordering::metis:
      return metis_order(quotient, plan.dense_factor);
    case Ordering::amd:
      return amd_order(quotient, plan.dense_factor);
    case Ordering::scotch:
      return scotch_order(quotient);
    case Ordering::user:
      return checked_user_order(plan.user_order, quotient.graph.nodes());
    case Ordering::natural:
      break;
  }
  std::vector<Node> order(quotient.graph.nodes());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

OrderedTree tree_of(Ordering ordering, std::vector<Node> order, const QuotientGraph& quotient,
                    const PivotPartners& partners, const AnalysisPlan& plan) {
  if (!partners.partner.empty()) order = placed_after_partners(quotient, partners, order);
  OrderedTree result;
  result.ordering = ordering;
  result.tree = elimination_tree(quotient.graph, order);
  const FrontForest fundamental =
      fundamental_fronts(quotient, result.tree, column_counts(quotient, result.tree));
  const AmalgamationRule rule{plan.amalgamation_width, plan.amalgamation_zeros, plan.amalgamation_wide_zeros};
  result.forest = ordered_for_memory(amalgamated(fundamental, plan.kind, rule, plan.cost), plan.kind);
  result.seconds = predicted_seconds(result.forest, plan.kind, plan.cost);
  return result;
}

OrderedTree best_tree(const QuotientGraph& quotient, const PivotPartners& partners, const AnalysisPlan& plan,
                      const std::function<OrderedTree()>& by_amd, comm::Tasks& tasks) {
  if (plan.ordering && plan.ordering != Ordering::dissection)
    return tree_of(*plan.ordering, order_by(*plan.ordering, quotient, plan, tasks), quotient, partners, plan);
  if (!plan.ordering && quotient.graph.nodes() <= plan.auto_amd_nodes) return by_amd();
  Dissections dissections(quotient, plan, dissection_plans(plan), tasks);
  OrderedTree first;
  first.seconds = std::numeric_limits<double>::infinity();
  bool is_wanted = true;
  const auto look_at_amd = [&] {
    first = by_amd();
    is_wanted = wants_dissection(first, quotient.graph, plan);
    if (!is_wanted) dissections.give_up();
  };
  plan.report_progress(step_of(plan.ordering.value_or(Ordering::amd)), 0.14);
  dissections.run(plan.ordering ? std::function<void()>() : look_at_amd);
  if (!is_wanted) return first;
  return best_of(std::move(first), dissections.orders(), quotient, partners, plan, tasks);
}

}  // namespace overlapack::sparse
