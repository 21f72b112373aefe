#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/fronts/symbolic.hpp"
#include "sparse/analysis/graph/pairs.hpp"

#include <vector>

namespace overlapack::sparse {

/// An ordering with the fronts that follow from it.
struct OrderedTree {
  Ordering ordering = Ordering::amd;
  EliminationTree tree;
  FrontForest forest;
  double seconds = 0;  ///< predicted, one core
};

/// Errors  BadInput if it is no permutation of 0 ... n - 1
std::vector<Node> checked_user_order(const std::vector<Index>& user_order, Node n);

/// order[k] is the node eliminated k-th.
/// Errors  as first_tree
std::vector<Node> order_by(Ordering ordering, const QuotientGraph& quotient, const AnalysisPlan& plan);

/// Orders the variables as plan.ordering says, empty: by AMD, which is cheap, and finds the fronts.
/// Variables that wait for partners are moved behind them (placed_after_partners); partners may be empty.
/// Errors  BadInput if user_order is no permutation
OrderedTree first_tree(const QuotientGraph& quotient, const PivotPartners& partners,
                       const AnalysisPlan& plan);

/// Where plan.ordering is empty nested dissection is tried, too, and the faster tree kept, unless the graph is small (auto_amd_nodes) or
/// the factorisation by the first tree is predicted so cheap that dissection would cost more than it can save (auto_dissection_worth).
OrderedTree best_tree(OrderedTree first, const QuotientGraph& quotient, const PivotPartners& partners,
                      const AnalysisPlan& plan);

}  // namespace overlapack::sparse
