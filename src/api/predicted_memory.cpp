#include "api/predicted_memory.hpp"

#include "base/staircase_view.hpp"
#include "sparse/multifrontal/front/front.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::api {

namespace {

/// Factors column by column with their row numbers; blocks with a method of their own come one after the other.
double predicted_bytes_by_blocks(const sparse::Analysis& analysis, std::size_t scalar_bytes) {
  double by_columns = static_cast<double>(analysis.factor_nnz), by_others = 0;
  for (const sparse::Analysis& inner : analysis.inner_analysis) {
    by_columns -= static_cast<double>(inner.factor_nnz);
    by_others += predicted_bytes(inner, scalar_bytes);
  }
  const double entry = static_cast<double>(scalar_bytes + sizeof(std::int32_t));
  const double column = static_cast<double>(scalar_bytes + 2 * sizeof(Index) + sizeof(std::int32_t));
  return by_columns * entry + static_cast<double>(analysis.row_perm.size()) * column + by_others;
}

}  // namespace

double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root) {
  if (analysis.method == Method::block_triangular) return predicted_bytes_by_blocks(analysis, scalar_bytes);
  if (analysis.method == Method::supernodal)
    return static_cast<double>(analysis.factor_nnz) * static_cast<double>(scalar_bytes);
  const sparse::AssemblyTree& tree = analysis.tree;
  const bool is_lu = analysis.kind == sparse::FactorKind::lu;
  std::vector<double> waiting_below(
      static_cast<std::size_t>(tree.fronts()));  // children's blocks of each front
  double factors = 0, waiting = 0, peak = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const bool is_whole = is_lu || (grid_root >= 0 && tree.parent[f] == grid_root);
    const Index border = tree.border(f), width = is_whole ? border : staircase_width(border);
    factors += static_cast<double>(
        sparse::front_bytes(analysis.kind, tree.order(f), tree.pivots(f), scalar_bytes, true));
    const double block =
        static_cast<double>(staircase_entries(border, width)) * static_cast<double>(scalar_bytes);
    const double copies = f == grid_root ? waiting_below[f] : 0;
    peak = std::max(peak, factors + waiting + block + copies);
    waiting += block - waiting_below[f];
    if (tree.parent[f] >= 0) waiting_below[tree.parent[f]] += block;
  }
  return peak;
}

}  // namespace overlapack::api
