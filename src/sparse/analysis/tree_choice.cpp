#include "sparse/analysis/tree_choice.hpp"

#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <algorithm>
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

bool is_dissection(Ordering ordering) {
  return ordering == Ordering::dissection || ordering == Ordering::metis;
}

/// On the plan's threads, with progress.
std::vector<Node> by_dissection(const QuotientGraph& quotient, const AnalysisPlan& plan,
                                const DissectionPlan& how) {
  const double nodes = std::max<double>(1, quotient.graph.nodes());
  comm::Tasks tasks(plan.threads, [&](double ordered) {
    plan.report_progress(step_of(Ordering::dissection), 0.25 + 0.55 * ordered / nodes);
  });
  return dissection_order(quotient, plan.dense_factor, how, tasks);
}

// Turns orders of one quotient graph into trees.
class TreeMaker {
 public:
  TreeMaker(const QuotientGraph& quotient, const PivotPartners& partners, const AnalysisPlan& plan)
      : quotient_(quotient), partners_(partners), plan_(plan) {}

  OrderedTree operator()(Ordering ordering, std::vector<Node> order) const {
    plan_.report_progress("elimination tree", is_dissection(ordering) ? 0.85 : 0.2);
    if (!partners_.partner.empty()) order = placed_after_partners(quotient_, partners_, order);
    OrderedTree result;
    result.ordering = ordering;
    result.tree = elimination_tree(quotient_.graph, order);
    const FrontForest fundamental =
        fundamental_fronts(quotient_, result.tree, column_counts(quotient_, result.tree));
    const AmalgamationRule rule{plan_.amalgamation_width, plan_.amalgamation_zeros,
                                plan_.amalgamation_wide_zeros};
    result.forest = ordered_for_memory(amalgamated(fundamental, plan_.kind, rule, plan_.cost), plan_.kind);
    result.seconds = predicted_seconds(result.forest, plan_.kind, plan_.cost);
    return result;
  }

 private:
  const QuotientGraph& quotient_;
  const PivotPartners& partners_;
  const AnalysisPlan& plan_;
};

/// What is tried for the plan's effort: candidates differ in how much balance is worth.
std::vector<DissectionPlan> dissections(const AnalysisPlan& plan) {
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

OrderedTree best_dissection(const TreeMaker& tree_of, const QuotientGraph& quotient,
                            const AnalysisPlan& plan) {
  OrderedTree best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const DissectionPlan& how : dissections(plan)) {
    OrderedTree tree = tree_of(Ordering::dissection, by_dissection(quotient, plan, how));
    if (tree.seconds < best.seconds) best = std::move(tree);
  }
  return best;
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

std::vector<Node> order_by(Ordering ordering, const QuotientGraph& quotient, const AnalysisPlan& plan) {
  const Node nodes = quotient.graph.nodes();
  plan.report_progress(step_of(ordering), is_dissection(ordering) ? 0.25 : 0.14);
  switch (ordering) {
    case Ordering::dissection:
      return by_dissection(quotient, plan, plan.dissection);
    case Ordering::metis:
      return metis_order(quotient, plan.dense_factor);
    case Ordering::amd:
      return amd_order(quotient, plan.dense_factor);
    case Ordering::scotch:
      return scotch_order(quotient);
    case Ordering::user:
      return checked_user_order(plan.user_order, nodes);
    case Ordering::natural:
      break;
  }
  std::vector<Node> order(nodes);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

OrderedTree first_tree(const QuotientGraph& quotient, const PivotPartners& partners,
                       const AnalysisPlan& plan) {
  const Ordering ordering = plan.ordering.value_or(Ordering::amd);
  if (ordering == Ordering::dissection) return best_dissection({quotient, partners, plan}, quotient, plan);
  return TreeMaker(quotient, partners, plan)(ordering, order_by(ordering, quotient, plan));
}

OrderedTree best_tree(OrderedTree first, const QuotientGraph& quotient, const PivotPartners& partners,
                      const AnalysisPlan& plan) {
  const Graph& graph = quotient.graph;
  if (plan.ordering || graph.nodes() <= plan.auto_amd_nodes) return first;
  const auto entries = static_cast<double>(graph.nodes()) + static_cast<double>(graph.neighbour.size());
  const double dissection_s = plan.auto_dissection_s_per_entry * entries;
  // Another order changes flops and assembly, hardly the number of fronts and their fixed costs.
  const double savable_s = first.seconds - plan.cost.rates.front_s * first.forest.fronts();
  if (savable_s <= plan.auto_dissection_worth * dissection_s) return first;
  OrderedTree best = best_dissection({quotient, partners, plan}, quotient, plan);
  if (first.seconds < best.seconds) best = std::move(first);
  return best;
}

}  // namespace overlapack::sparse
