#pragma once
#include "sparse/analysis/tree_choice.hpp"

namespace overlapack::sparse {

/// A given order names variables: none are merged for it, none are moved.
bool order_is_given(const AnalysisPlan& plan);

/// The order of the variables.
struct Choice {
  OrderedTree tree;
  Index variable_block = 1;
};

/// The best order of the variables of a graph. Those of a mesh's point are merged where the graph shows them; pairs of a matching are
/// merged, too, or one waits for the other (AnalysisPlan::pivot_pairs).
/// ends_at_low_fill: AMD's tree is taken where it may go column by column
/// Errors  as compute_order
Choice choose_order(const Graph& graph, const PivotPartners& partners, const AnalysisPlan& plan,
                    bool ends_at_low_fill, comm::Tasks& tasks);

}  // namespace overlapack::sparse
