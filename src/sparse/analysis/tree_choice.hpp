#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/fronts/symbolic.hpp"
#include "sparse/analysis/graph/pairs.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// An ordering, and the fronts that follow from it.
struct OrderedTree {
  Ordering ordering = Ordering::amd;
  QuotientGraph variables;  ///< the nodes, renumbered by the ordering
  EliminationTree tree;     ///< of `variables`
  FrontForest forest;
  double seconds = 0;  ///< predicted, one core
  double other_seconds =
      0;  ///< predicted for the alternative (AMD or nested dissection); 0: there was no comparison
  double pays_after = 0;  ///< Analysis::order_pays_after
  ColumnCost columns;     ///< cost of the same order column by column, without fronts
};

/// The caller's order, after a check.
/// Errors  BadInput if it is no permutation of 0 ... n - 1
std::vector<Node> checked_user_order(const std::vector<Index>& user_order, Node n);

/// Compute an order of the nodes by this ordering; order[k] is the node eliminated k-th.
/// Errors  BadInput if user_order is no permutation
std::vector<Node> compute_order(Ordering ordering, const QuotientGraph& quotient, const AnalysisPlan& plan,
                                comm::Tasks& tasks);

/// AMD's order of the nodes. It is plan.amd_order if that is known and no variables are merged; with merged variables AMD would find another
/// order.
std::vector<Node> order_by_amd(const QuotientGraph& quotient, const AnalysisPlan& plan);

/// Make the fronts that follow from an order. Variables that wait for partners are moved behind them (placed_after_partners); `partners` may be
/// empty.
OrderedTree tree_of(Ordering ordering, std::vector<Node> order, const QuotientGraph& quotient,
                    const PivotPartners& partners, const AnalysisPlan& plan, comm::Tasks& tasks);

/// The tree by plan.ordering. If it is empty, the tree with the shorter predicted time of AMD and nested dissection, which run in parallel.
/// AMD alone suffices if the graph is small (auto_amd_nodes), or if the predicted factorisation is so cheap that dissection would cost more
/// than it can save (auto_dissection_worth).
/// by_amd: makes AMD's tree; is_enough(tree): whether this tree makes dissection unnecessary
/// Errors  as compute_order
OrderedTree best_tree(const QuotientGraph& quotient, const PivotPartners& partners, const AnalysisPlan& plan,
                      const std::function<OrderedTree()>& by_amd,
                      const std::function<bool(const OrderedTree&)>& is_enough, comm::Tasks& tasks);

}  // namespace overlapack::sparse
