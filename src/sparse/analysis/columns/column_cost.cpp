#include "sparse/analysis/columns/column_cost.hpp"

namespace overlapack::sparse {

ColumnCost cost_of_columns(const QuotientGraph& quotient, const EliminationTree& tree,
                           std::span<const Index> counts, const kernels::Rates& rates) {
  ColumnCost cost;
  double columns = 0, multiply_adds = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (Index v = 0; v < quotient.weight(tree.order[k]); ++v) {
      const auto below = static_cast<double>(counts[k] - v - 1);
      ++columns;
      cost.entries += below + 1;
      multiply_adds += below * (below + 1) / 2;
      cost.flops += below + below * (below + 1);
    }
  cost.seconds = rates.column_s * columns + rates.column_entry_s * cost.entries +
                 rates.column_multiply_add_s * multiply_adds;
  return cost;
}

}  // namespace overlapack::sparse
