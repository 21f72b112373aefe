#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/block_form.hpp"
#include "sparse/analysis/scaling.hpp"
#include "sparse/analysis/tree_choice.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

namespace overlapack::sparse {
namespace {

constexpr Index max_int32 = std::numeric_limits<std::int32_t>::max();

template <class T>
void require_usable(const SparseMatrix<T>& A, FactorKind kind) {
  if (A.rows != A.cols)
    throw Error(ErrorKind::bad_input, "analysis",
                "the matrix is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                    "; a direct solve needs a square one");
  if (A.rows > max_int32 || A.nnz() > max_int32)
    throw Error(ErrorKind::bad_input, "analysis",
                "the matrix has n = " + std::to_string(A.rows) + " and " + std::to_string(A.nnz()) +
                    " entries; the sparse direct solver takes at most 2147483647 of each");
  const bool is_symmetric = A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian;
  if (kind != FactorKind::lu && !is_symmetric)
    throw Error(ErrorKind::bad_plan, "analysis",
                "LDL^T and Cholesky need a matrix known to be symmetric or Hermitian; choose lu");
}

// A given order names variables: none are merged for it, none are moved.
bool order_is_given(const AnalysisPlan& plan) {
  return plan.ordering == Ordering::natural || plan.ordering == Ordering::user;
}

// The variables, merged where they are to be eliminated side by side: the given groups, then whatever cannot
// be told apart.
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

// What is ordered, and how.
struct Choice {
  QuotientGraph quotient;
  OrderedTree tree;
};

Choice choose(const Graph& graph, const PivotPartners& partners, const AnalysisPlan& plan) {
  const std::optional<PivotPairs> way = plan.pivot_pairs;
  const auto plain = [&](const PivotPartners& followed) {
    Choice choice{variables_to_order(graph, {}, plan), {}};
    choice.tree = choose_tree(choice.quotient, followed, plan);
    return choice;
  };
  const auto is_alone = [&](Node v) { return partners.partner[v] == v; };
  std::vector<Node> all(partners.partner.size());
  std::iota(all.begin(), all.end(), 0);
  if (way == PivotPairs::off || order_is_given(plan) || std::all_of(all.begin(), all.end(), is_alone))
    return plain({});
  if (way == PivotPairs::follow) return plain(partners);
  Choice merged{variables_to_order(graph, pair_groups(partners), plan), {}};
  merged.tree = choose_tree(merged.quotient, {}, plan);
  if (way == PivotPairs::merge) return merged;
  Choice follow = plain(partners);
  return follow.tree.seconds < plan.follow_worth * merged.tree.seconds ? follow : merged;
}

// The graph of B + B^T when row row_of_column[j] of A is row j of B.
template <class T>
Graph graph_after_matching(const SparseMatrix<T>& A, const std::vector<Index>& row_of_column) {
  std::vector<Node> new_row(row_of_column.size());
  for (std::size_t j = 0; j < row_of_column.size(); ++j) new_row[row_of_column[j]] = static_cast<Node>(j);
  return symmetrised_graph(A.start, A.row, new_row);
}

void set_permutations(Analysis& analysis, Scaling scaling, const std::vector<Node>& variable) {
  analysis.col_perm.assign(variable.begin(), variable.end());
  analysis.row_perm.reserve(variable.size());
  for (Node v : variable) analysis.row_perm.push_back(scaling.row_of_column[v]);
  analysis.row_scale = std::move(scaling.row_scale);
  analysis.col_scale = std::move(scaling.col_scale);
  analysis.matching = std::move(scaling.matching);
  analysis.scaling = std::move(scaling.scaling);
  analysis.structural_rank = scaling.structural_rank;
}

void predict(Analysis& analysis, const FrontCostModel& model) {
  const AssemblyTree& tree = analysis.tree;
  double nnz = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    nnz += front_factor_nnz(analysis.kind, tree.order(f), tree.pivots(f));
    analysis.flops += front_flops(analysis.kind, tree.order(f), tree.pivots(f));
    analysis.predicted_s += front_seconds(analysis.kind, tree.order(f), tree.pivots(f), model);
  }
  analysis.factor_nnz = static_cast<Index>(nnz);
}

/// The fronts become nodes with lists of their own.
template <class T>
void divide_into_nodes(Analysis& analysis, const SparseMatrix<T>& A, const NodePlan& plan) {
  const std::vector<Node> row_place = places(analysis.row_perm), column_place = places(analysis.col_perm);
  analysis.method = Method::supernodal;
  analysis.nodes =
      node_structure(node_bounds(analysis.tree, plan), {A.start, A.row, row_place, column_place});
  analysis.tree = {};
  analysis.tree.n = A.rows;
  analysis.flops = factor_flops(analysis.nodes);
  analysis.factor_nnz = static_cast<Index>(factor_entries(analysis.nodes));
}

}  // namespace

template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan) {
  require_usable(A, plan.kind);
  Analysis analysis;
  analysis.kind = plan.kind;
  analysis.hermitian = A.symmetry == Symmetry::hermitian;
  Scaling scaling = choose_scaling(A, plan);
  if (may_go_by_blocks(A, scaling, plan))
    if (auto by_blocks = analyse_by_blocks(A, scaling, plan)) return std::move(*by_blocks);
  const Choice chosen = choose(graph_after_matching(A, scaling.row_of_column), scaling.partners, plan);
  SymbolicFactor symbolic = symbolic_factor(chosen.quotient, chosen.tree.tree, chosen.tree.forest);
  analysis.ordering = to_string(chosen.tree.ordering);
  analysis.tree = std::move(symbolic.tree);
  set_permutations(analysis, std::move(scaling), symbolic.variable);
  if (plan.nodes)
    divide_into_nodes(analysis, A, *plan.nodes);
  else
    predict(analysis, plan.cost);
  return analysis;
}

#define OVERLAPACK_INSTANTIATE(T) template Analysis analyse(const SparseMatrix<T>&, const AnalysisPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
