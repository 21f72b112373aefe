#include "sparse/block_triangular/columns/column_factors.hpp"

#include "base/instantiate.hpp"

#include <numeric>

namespace overlapack::sparse::block_triangular {

template <class T>
void predicted_columns(const Analysis& analysis, ColumnFactors<T>& factors) {
  const ColumnPattern& pattern = analysis.columns;
  const auto take = [](EntryColumns<T>& columns, const std::vector<Index>& start,
                       const std::vector<Node>& row) {
    columns.start = start;
    columns.row.assign(row.begin(), row.end());
    columns.value.resize(row.size());
  };
  set_blocks(analysis, factors);
  take(factors.lower, pattern.lower_start, pattern.lower_row);
  take(factors.upper, pattern.upper_start, pattern.upper_row);
  factors.pivot.assign(pattern.node_end.size(), T(1));
  factors.pivot_off.clear();
  factors.row_of_pivot.resize(pattern.node_end.size());
  std::iota(factors.row_of_pivot.begin(), factors.row_of_pivot.end(), 0);
  factors.off_diagonal = 0;
  factors.node_end = pattern.node_end;
  factors.sets = {};
}

#define OVERLAPACK_INSTANTIATE(T) template void predicted_columns(const Analysis&, ColumnFactors<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
