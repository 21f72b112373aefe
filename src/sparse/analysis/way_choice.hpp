#pragma once
#include "sparse/analysis/tree_choice.hpp"

namespace overlapack::sparse {

/// Whether the order is given (natural or user). Such an order names variables, so that none are merged or moved.
bool order_is_given(const AnalysisPlan& plan);

/// The order that choose_order chose, and its tree.
struct Choice {
  OrderedTree tree;
  Index variable_block = 1;
};

/// Choose the best order of the variables of a graph. The variables of a mesh point are merged if the graph shows them. Pairs of a matching are
/// also merged, or one variable waits for the other (AnalysisPlan::pivot_pairs).
/// ends_at_low_fill: take AMD's tree without a comparison if it can be eliminated column by column
/// Errors  as compute_order
Choice choose_order(const Graph& graph, const PivotPartners& partners, const AnalysisPlan& plan,
                    bool ends_at_low_fill, comm::Tasks& tasks);

}  // namespace overlapack::sparse
