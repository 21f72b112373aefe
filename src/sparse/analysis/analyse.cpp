#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/block_form.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/analysis/kept_rows.hpp"
#include "sparse/analysis/scaling.hpp"
#include "sparse/analysis/way_choice.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

namespace overlapack::sparse {
namespace {

constexpr Index max_int32 = std::numeric_limits<std::int32_t>::max();

template <class T>
void require_usable(const SparseMatrix<T>& A, FactorKind kind) {
  if (A.rows != A.cols)
    throw Error(Status::bad_input, "the matrix is " + std::to_string(A.rows) + " x " +
                                       std::to_string(A.cols) + "; a direct solve needs a square one");
  if (A.rows > max_int32 || A.nnz() > max_int32)
    throw Error(Status::bad_input, "the matrix has n = " + std::to_string(A.rows) + " and " +
                                       std::to_string(A.nnz()) +
                                       " entries; the sparse direct solver takes at most 2147483647 of each");
  const bool is_symmetric = A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian;
  if (kind != FactorKind::lu && !is_symmetric)
    throw Error(Status::bad_plan,
                "LDL^T and Cholesky need a matrix known to be symmetric or Hermitian; choose lu");
}

/// The graph of B + B^T, where row j of B is row row_of_column[j] of A.
template <class T>
Graph graph_after_matching(const SparseMatrix<T>& A, const std::vector<Index>& row_of_column,
                           comm::Tasks& tasks) {
  if (A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian)
    if (std::ranges::equal(row_of_column, std::views::iota(Index{0}, A.cols)) &&
        has_symmetric_pattern(A.start, A.row, tasks))  // a zero may be stored without its image
      return symmetric_graph(A.start, A.row, tasks);
  std::vector<Node> new_row(row_of_column.size());
  for (std::size_t j = 0; j < row_of_column.size(); ++j) new_row[row_of_column[j]] = static_cast<Node>(j);
  return symmetrised_graph(A.start, A.row, new_row);
}

struct KeptRows {
  Scaling scaling;
  Choice chosen;
};

/// Choose to leave rows in their places (scaling_with_kept_rows), if that is possible and the graph then has so many fewer edges that fronts are
/// likely to take less time.
template <class T>
std::optional<KeptRows> choose_kept_rows(const SparseMatrix<T>& A, const Scaling& matched, const Graph& graph,
                                         const AnalysisPlan& plan, comm::Tasks& tasks) {
  const bool forces_nodes = plan.nodes && !plan.nodes_worth;
  if (plan.kind != FactorKind::lu || matched.matching != "maximum product" || order_is_given(plan) ||
      forces_nodes)
    return std::nullopt;
  std::optional<Scaling> kept = scaling_with_kept_rows(A, matched, plan);
  if (!kept) return std::nullopt;
  const Graph as_given = graph_after_matching(A, kept->row_of_column, tasks);
  if (static_cast<double>(as_given.neighbour.size()) >
      plan.kept_rows_worth * static_cast<double>(graph.neighbour.size()))
    return std::nullopt;
  Choice chosen = choose_order(as_given, kept->partners, plan, false, tasks);
  if (!wants_fronts(chosen.tree, plan)) return std::nullopt;
  return KeptRows{*std::move(kept), std::move(chosen)};
}

/// Set the permutations, scales and signs of B. signs: for each variable of A, or empty
void set_permutations(Analysis& analysis, Scaling scaling, const std::vector<Node>& variable,
                      const std::vector<std::int8_t>& signs) {
  analysis.col_perm.assign(variable.begin(), variable.end());
  analysis.row_perm.reserve(variable.size());
  for (Node v : variable) analysis.row_perm.push_back(scaling.row_of_column[v]);
  analysis.row_scale = std::move(scaling.row_scale);
  analysis.col_scale = std::move(scaling.col_scale);
  analysis.matched_row = std::move(scaling.matched_row);
  analysis.matching = std::move(scaling.matching);
  analysis.scaling = std::move(scaling.scaling);
  analysis.structural_rank = scaling.structural_rank;
  if (signs.empty()) return;
  for (const Node v : variable) analysis.signs.push_back(signs[static_cast<std::size_t>(v)]);
}

/// The text of Analysis::order_choice.
std::string order_text(const OrderedTree& tree, const AnalysisPlan& plan) {
  const std::string text = printed("%.3g s predicted in the order of %s, ", tree.seconds,
                                   std::string(to_string(tree.ordering)).c_str());
  if (plan.ordering) return text + "as asked";
  if (tree.other_seconds == 0) return text + "too little to look for another one";
  const Ordering other = tree.ordering == Ordering::amd ? Ordering::dissection : Ordering::amd;
  return text + printed("%.3g s in that of %s", tree.other_seconds, std::string(to_string(other)).c_str());
}

/// Whether L D L^T column by column is predicted to take at most `worth` x the time of fronts.
bool are_columns_worth(const Choice& chosen, double worth) {
  return chosen.tree.columns.seconds <= worth * chosen.tree.seconds;
}

/// Choose L D L^T column by column, in the order of the tree, if that pays. Returns whether it did.
bool choose_columns(Analysis& analysis, const Choice& chosen, const AnalysisPlan& plan) {
  const auto n = static_cast<Index>(chosen.tree.variables.member.size());
  if (plan.kind != FactorKind::ldlt || plan.block_form == Switch::off || plan.keeps_null_pivots) return false;
  const bool is_light = n < plan.columns_small || plan.expected_factorizations() > 1;
  const double worth = is_light ? plan.columns_worth_again : plan.columns_worth;
  if (!plan.block_form && !are_columns_worth(chosen, worth)) {
    if (are_columns_worth(chosen, plan.columns_worth_again))
      analysis.order_pays_after = plan.columns_pay_after;
    return false;
  }
  const ColumnCost& cost = chosen.tree.columns;
  if (!plan.block_form)
    analysis.choice = printed("block_triangular: %.3g s predicted by fronts, %.3g s column by column",
                              chosen.tree.seconds, cost.seconds);
  analysis.method = Method::block_triangular;
  analysis.block_start = {0, n};
  analysis.tree.n = n;
  analysis.flops = cost.flops;
  analysis.predicted_s = cost.seconds;
  analysis.factor_nnz = static_cast<Index>(cost.entries);
  return true;
}

std::vector<Node> variables_by_tree(const Choice& chosen) {
  std::vector<Node> variable;
  variable.reserve(chosen.tree.variables.member.size());
  for (const Node node : chosen.tree.tree.order) {
    const auto members = chosen.tree.variables.members(node);
    variable.insert(variable.end(), members.begin(), members.end());
  }
  return variable;
}

void predict(Analysis& analysis) {
  const AssemblyTree& tree = analysis.tree;
  double nnz = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    nnz += front_factor_nnz(analysis.kind, tree.order(f), tree.pivots(f));
    analysis.flops += front_flops(analysis.kind, tree.order(f), tree.pivots(f));
    analysis.predicted_s += front_seconds(analysis.kind, tree.order(f), tree.pivots(f), analysis.cost);
  }
  analysis.factor_nnz = static_cast<Index>(nnz);
}

/// The structure of supernodal LU in the place of the fronts.
template <class T>
NodeStructure node_structure_of(const Analysis& analysis, const SparseMatrix<T>& A, const NodePlan& plan) {
  const std::vector<Node> row_position = positions(analysis.row_perm),
                          column_position = positions(analysis.col_perm);
  return node_structure(node_bounds(analysis.tree, plan), {A.start, A.row, row_position, column_position});
}

void store_nodes(Analysis& analysis, NodeStructure nodes, double seconds) {
  analysis.method = Method::supernodal;
  analysis.nodes = std::move(nodes);
  analysis.tree = {};
  analysis.tree.n = analysis.nodes.n;
  analysis.flops = factor_flops(analysis.nodes);
  analysis.factor_nnz = static_cast<Index>(factor_entries(analysis.nodes));
  analysis.predicted_s = seconds;
}

/// The share of the off-diagonal entries of B that have their mirror image.
/// both: the graph of B + B^T
template <class T>
double symmetry_of(const SparseMatrix<T>& A, const std::vector<Index>& row_of_column, const Graph& both) {
  auto entries = static_cast<double>(A.nnz());
  for (Index j = 0; j < A.cols; ++j)
    entries -=
        std::binary_search(A.row.begin() + A.start[j], A.row.begin() + A.start[j + 1], row_of_column[j]);
  const double pairs = static_cast<double>(both.neighbour.size()) / 2;  // with one entry or two
  return entries > 0 ? 2 * (entries - pairs) / entries : 1;
}

/// Choose supernodal LU if it is predicted to be faster than fronts, and write the reason into analysis.choice.
template <class T>
void choose_nodes(Analysis& analysis, const SparseMatrix<T>& A, const AnalysisPlan& plan, double symmetry) {
  if (symmetry > plan.nodes_symmetry) {
    analysis.choice =
        printed("multifrontal: %.0f %% of the matched entries have their mirror image", 100 * symmetry);
    return;
  }
  NodeStructure nodes = node_structure_of(analysis, A, *plan.nodes);
  const double by_fronts = analysis.predicted_s, by_nodes = node_seconds(nodes, plan.cost);
  const bool pays = by_nodes <= *plan.nodes_worth * by_fronts;
  if (pays) store_nodes(analysis, std::move(nodes), by_nodes);
  analysis.choice = printed("%s: %.3g s predicted by fronts, %.3g s by nodes, which %s",
                            pays ? "supernodal" : "multifrontal", by_fronts, by_nodes,
                            pays ? "is worth their weaker pivots" : "is not worth their weaker pivots");
}

}  // namespace

template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan) {
  comm::Tasks tasks(1);
  return analyse(A, plan, tasks);
}

template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks) {
  require_usable(A, plan.kind);
  Analysis analysis;
  analysis.kind = plan.kind;
  analysis.cost = plan.cost;
  analysis.hermitian = plan.kind != FactorKind::lu && A.symmetry == Symmetry::hermitian;
  Scaling scaling = choose_scaling(A, plan, tasks);
  BlockTrial trial;
  if (may_use_block_triangular_form(A, scaling, plan))
    if (auto by_blocks = analyse_by_blocks(A, scaling, plan, trial, tasks)) return std::move(*by_blocks);
  plan.report_progress("graph", 0.1);
  const Graph graph = graph_after_matching(A, scaling.row_of_column, tasks);
  bool compares_nodes = plan.nodes && plan.nodes_worth && (plan.is_matched || scaling.matching != "off");
  const double symmetry = compares_nodes ? symmetry_of(A, scaling.row_of_column, graph) : 1;
  plan.report_progress("variables that are alike", 0.12);
  std::optional<KeptRows> kept = choose_kept_rows(A, scaling, graph, plan, tasks);
  AnalysisPlan ordered = plan;
  if (!trial.order.empty() && trial.edges == graph.neighbour.size())  // no edge beside the blocks
    ordered.amd_order = std::move(trial.order);
  const Choice chosen = kept ? std::move(kept->chosen)
                             : choose_order(graph, scaling.partners, ordered, trial.is_one_block, tasks);
  if (kept) {
    scaling = std::move(kept->scaling);
    compares_nodes = false;
  } else if (trial.is_one_block && !wants_fronts(chosen.tree, plan)) {
    return analyse_one_block(A, scaling, plan, variables_by_tree(chosen), tasks);
  }
  analysis.ordering = to_string(chosen.tree.ordering);
  analysis.order_choice =
      order_text(chosen.tree, plan) + (kept ? ", rows as given, pairs by the matching" : "");
  analysis.variable_block = chosen.variable_block;
  if (choose_columns(analysis, chosen, plan)) {
    set_permutations(analysis, std::move(scaling), variables_by_tree(chosen), plan.signs);
    return analysis;
  }
  analysis.order_pays_after = first_of(analysis.order_pays_after, chosen.tree.pays_after);
  plan.report_progress("structure of L", 0.9);
  SymbolicFactor symbolic =
      symbolic_factor(chosen.tree.variables, chosen.tree.tree, chosen.tree.forest, plan.cluster, tasks);
  analysis.tree = std::move(symbolic.tree);
  set_permutations(analysis, std::move(scaling), symbolic.variable, plan.signs);
  predict(analysis);
  if (compares_nodes) {
    choose_nodes(analysis, A, plan, symmetry);
  } else if (plan.nodes && !plan.nodes_worth) {
    NodeStructure nodes = node_structure_of(analysis, A, *plan.nodes);
    const double seconds = node_seconds(nodes, plan.cost);
    store_nodes(analysis, std::move(nodes), seconds);
  }
  return analysis;
}

#define OVERLAPACK_INSTANTIATE(T)                                         \
  template Analysis analyse(const SparseMatrix<T>&, const AnalysisPlan&); \
  template Analysis analyse(const SparseMatrix<T>&, const AnalysisPlan&, comm::Tasks&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
