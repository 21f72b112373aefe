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

DissectionPlan first_plan(const AnalysisPlan& plan) {
  DissectionPlan first = plan.dissection;
  if (plan.effort == OrderingEffort::low) first.bisection.cycles = 1;
  return first;
}

/// The other plans that are tried beside the first one. They differ in the balance of separators.
std::vector<DissectionPlan> other_plans(const AnalysisPlan& plan) {
  std::vector<DissectionPlan> plans;
  for (const SeparatorRule& rule : plan.other_balances) {
    plans.push_back(plan.dissection);
    plans.back().bisection.rule = rule;
    plans.back().seed += plans.size();
  }
  return plans;
}

/// The seconds that one dissection is likely to take.
double dissection_seconds(const Graph& graph, const AnalysisPlan& plan) {
  const auto entries = static_cast<double>(graph.nodes()) + static_cast<double>(graph.neighbour.size());
  return plan.auto_dissection_s_per_entry * entries;
}

/// The seconds of one factorisation that another order may save. Another order changes flops and assembly, but hardly the number of fronts and
/// their fixed costs.
double savable_seconds(const OrderedTree& by_amd, const AnalysisPlan& plan) {
  return by_amd.seconds - plan.cost.rates.front_s * by_amd.forest.fronts();
}

/// Whether the time that a dissection may save is worth the time that it takes.
bool wants_dissection(const OrderedTree& by_amd, const Graph& graph, const AnalysisPlan& plan) {
  return plan.expected_factorizations() * savable_seconds(by_amd, plan) >
         plan.auto_dissection_worth * dissection_seconds(graph, plan);
}

/// The number of factorisations after which a dissection is likely to have saved more time than it takes.
double pays_after(const OrderedTree& by_amd, const Graph& graph, const AnalysisPlan& plan) {
  const double saving = plan.likely_saving * savable_seconds(by_amd, plan);
  return saving > 0 ? dissection_seconds(graph, plan) / saving : 0;
}

/// Makes the trees of several orders of one graph in parallel, and finds the best one.
class Contest {
 public:
  Contest(const QuotientGraph& quotient, const PivotPartners& partners, const AnalysisPlan& plan,
          comm::Tasks& tasks)
      : quotient_(quotient), partners_(partners), plan_(plan), tasks_(tasks) {}

  /// Make the trees of dissections by these plans. `beside` runs at the same time, from the start on.
  void dissect(std::span<const DissectionPlan> how, const std::function<void()>& beside) {
    const std::size_t before = trees_.size();
    dissections_.clear();
    for (const DissectionPlan& one : how) dissections_.emplace_back(quotient_, plan_.dense, one, tasks_);
    trees_.resize(before + how.size());
    constexpr double first = std::numeric_limits<double>::max();
    const double nodes = quotient_.graph.nodes();
    const auto start = [&] {
      if (beside) tasks_.add(first, beside);
      for (std::size_t i = 0; i < how.size(); ++i)
        tasks_.add(nodes, [this, i, before] {
          dissections_[i].begin([this, i, before] { trees_[before + i] = tree_of_dissection(i); });
        });
    };
    const double all = std::max(1.0, nodes * static_cast<double>(how.size()));
    tasks_.run(start, [&](double ordered) {
      if (ordered > 0) plan_.report_progress(step_of(Ordering::dissection), 0.25 + 0.6 * ordered / all);
    });
  }

  void cancel_remaining() {
    for (Dissection& one : dissections_) one.cancel_remaining();
  }
  void add(OrderedTree tree) { trees_.push_back(std::move(tree)); }
  OrderedTree& best() {
    OrderedTree& best = *std::ranges::min_element(trees_, {}, &OrderedTree::seconds);
    for (const OrderedTree& tree : trees_)
      if (tree.ordering != best.ordering && (best.other_seconds == 0 || tree.seconds < best.other_seconds))
        best.other_seconds = tree.seconds;
    return best;
  }

 private:
  OrderedTree tree_of_dissection(std::size_t i) {
    return tree_of(Ordering::dissection, dissections_[i].order(), quotient_, partners_, plan_, tasks_);
  }

  const QuotientGraph& quotient_;
  const PivotPartners& partners_;
  const AnalysisPlan& plan_;
  comm::Tasks& tasks_;
  std::deque<Dissection> dissections_;
  std::vector<OrderedTree> trees_;
};

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

std::vector<Node> compute_order(Ordering ordering, const QuotientGraph& quotient, const AnalysisPlan& plan,
                                comm::Tasks& tasks) {
  plan.report_progress(step_of(ordering), ordering == Ordering::amd ? 0.14 : 0.25);
  switch (ordering) {
    case Ordering::dissection:
      return dissection_order(quotient, plan.dense, first_plan(plan), tasks);
    case Ordering::metis:
      return metis_order(quotient, plan.dense);
    case Ordering::amd:
      return order_by_amd(quotient, plan);
    case Ordering::scotch:
      return scotch_order(quotient, plan.dense);
    case Ordering::user:
      return checked_user_order(plan.user_order, quotient.graph.nodes());
    case Ordering::natural:
      break;
  }
  std::vector<Node> order(quotient.graph.nodes());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<Node> order_by_amd(const QuotientGraph& quotient, const AnalysisPlan& plan) {
  const bool is_known = plan.amd_order.size() == static_cast<std::size_t>(quotient.graph.nodes());
  return is_known ? nodes_by_variables(quotient, plan.amd_order) : amd_order(quotient, plan.dense);
}

OrderedTree tree_of(Ordering ordering, std::vector<Node> order, const QuotientGraph& quotient,
                    const PivotPartners& partners, const AnalysisPlan& plan, comm::Tasks& tasks) {
  if (!partners.partner.empty()) order = placed_after_partners(quotient, partners, order);
  OrderedTree result;
  result.ordering = ordering;
  result.variables = renumbered(quotient, order, tasks);
  std::iota(order.begin(), order.end(), 0);
  result.tree = elimination_tree(result.variables.graph, order);
  const std::vector<Index> counts = column_counts(result.variables, result.tree);
  result.columns = cost_of_columns(result.variables, result.tree, counts, plan.cost.rates);
  const AmalgamationRule rule{plan.amalgamation_width, plan.amalgamation_zeros, plan.amalgamation_wide_zeros,
                              plan.amalgamation_zeros_for_saved};
  result.forest = ordered_for_memory(amalgamated(fundamental_fronts(result.variables, result.tree, counts),
                                                 result.variables, result.tree, plan.kind, rule, plan.cost),
                                     plan.kind);
  result.seconds = predicted_seconds(result.forest, plan.kind, plan.cost);
  return result;
}

OrderedTree best_tree(const QuotientGraph& quotient, const PivotPartners& partners, const AnalysisPlan& plan,
                      const std::function<OrderedTree()>& by_amd,
                      const std::function<bool(const OrderedTree&)>& is_enough, comm::Tasks& tasks) {
  if (plan.ordering && plan.ordering != Ordering::dissection)
    return tree_of(*plan.ordering, compute_order(*plan.ordering, quotient, plan, tasks), quotient, partners,
                   plan, tasks);
  if (!plan.ordering && quotient.graph.nodes() <= plan.auto_amd_nodes) return by_amd();
  Contest contest(quotient, partners, plan, tasks);
  std::vector<DissectionPlan> plans{first_plan(plan)};
  const std::vector<DissectionPlan> others = other_plans(plan);
  if (plan.effort == OrderingEffort::high) plans.insert(plans.end(), others.begin(), others.end());
  OrderedTree first;
  bool is_final = false;
  const auto look_at_amd = [&] {
    first = by_amd();
    is_final = is_enough(first);
    if (!is_final && !wants_dissection(first, quotient.graph, plan)) {
      is_final = true;
      first.pays_after = pays_after(first, quotient.graph, plan);
    }
    if (is_final) contest.cancel_remaining();
  };
  plan.report_progress(step_of(plan.ordering.value_or(Ordering::amd)), 0.14);
  contest.dissect(plans, plan.ordering ? std::function<void()>() : look_at_amd);
  if (is_final) return first;
  plan.report_progress(step_of(Ordering::dissection), 0.85);  // a short one may have ended before it told so
  if (!plan.ordering) contest.add(std::move(first));
  const double others_s = static_cast<double>(others.size()) * dissection_seconds(quotient.graph, plan);
  const double others_save = plan.candidates_worth * plan.expected_factorizations() * contest.best().seconds;
  if (plan.effort == OrderingEffort::normal && others_save > others_s) contest.dissect(others, {});
  return std::move(contest.best());
}

}  // namespace overlapack::sparse
