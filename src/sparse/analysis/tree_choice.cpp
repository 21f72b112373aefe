#include "sparse/analysis/tree_choice.hpp"

#include "overlapack/error.hpp"
#include "sparse/analysis/ordering.hpp"

#include <numeric>

namespace overlapack::sparse {
namespace {

OrderedTree with_fronts(const QuotientGraph& quotient, const AnalysisPlan& plan, std::string name,
                        std::vector<Node> order) {
  OrderedTree result;
  result.ordering = std::move(name);
  result.tree = elimination_tree(quotient.graph, order);
  const FrontForest fundamental =
      fundamental_fronts(quotient, result.tree, column_counts(quotient, result.tree));
  const AmalgamationRule rule{plan.amalgamation_width, plan.amalgamation_zeros, plan.amalgamation_wide_zeros};
  result.forest = ordered_for_memory(amalgamated(fundamental, plan.kind, rule, plan.cost), plan.kind);
  result.seconds = predicted_seconds(result.forest, plan.kind, plan.cost);
  return result;
}

std::vector<Node> checked_user_order(const std::vector<Index>& user_order, Node n) {
  std::vector<char> seen(n, 0);
  if (static_cast<Index>(user_order.size()) != n)
    throw Error(ErrorKind::bad_input, "ordering",
                "the user's ordering has " + std::to_string(user_order.size()) + " entries, the matrix " +
                    std::to_string(n) + " rows; give every variable once");
  for (Index v : user_order) {
    if (v < 0 || v >= n || seen[v])
      throw Error(ErrorKind::bad_input, "ordering",
                  "the user's ordering is no permutation: " + std::to_string(v) +
                      " is out of range or appears twice; give every variable from 0 to n - 1 once");
    seen[v] = 1;
  }
  return {user_order.begin(), user_order.end()};
}

OrderedTree best_of_amd_and_metis(const QuotientGraph& quotient, const AnalysisPlan& plan) {
  const Graph& graph = quotient.graph;
  OrderedTree amd = with_fronts(quotient, plan, "amd", amd_order(quotient, plan.dense_factor));
  const auto entries = static_cast<double>(graph.nodes()) + static_cast<double>(graph.neighbour.size());
  const double metis_s = plan.auto_metis_s_per_entry * entries;
  if (graph.nodes() <= plan.auto_amd_nodes || amd.seconds <= plan.auto_metis_worth * metis_s) return amd;
  OrderedTree metis = with_fronts(quotient, plan, "metis", metis_order(quotient, plan.dense_factor));
  return metis.seconds < amd.seconds ? metis : amd;
}

}  // namespace

OrderedTree choose_tree(const QuotientGraph& quotient, const AnalysisPlan& plan) {
  const std::string& name = plan.ordering;
  const Node nodes = quotient.graph.nodes();
  if (name == "auto") return best_of_amd_and_metis(quotient, plan);
  if (name == "amd") return with_fronts(quotient, plan, name, amd_order(quotient, plan.dense_factor));
  if (name == "metis") return with_fronts(quotient, plan, name, metis_order(quotient, plan.dense_factor));
  if (name == "scotch") return with_fronts(quotient, plan, name, scotch_order(quotient));
  if (name == "user") return with_fronts(quotient, plan, name, checked_user_order(plan.user_order, nodes));
  if (name == "natural") {
    std::vector<Node> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    return with_fronts(quotient, plan, name, std::move(order));
  }
  throw Error(ErrorKind::bad_plan, "ordering",
              "unknown ordering '" + name + "'; choose auto, metis, amd, scotch, natural or user");
}

}  // namespace overlapack::sparse
