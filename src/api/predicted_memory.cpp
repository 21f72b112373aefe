#include "api/predicted_memory.hpp"

#include "sparse/analysis/front_cost.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::api {

double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes) {
  const sparse::AssemblyTree& tree = analysis.tree;
  std::vector<double> waiting_below(
      static_cast<std::size_t>(tree.fronts()));  // children's blocks of each front
  double factors = 0, waiting = 0, peak = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    factors += sparse::front_factor_nnz(analysis.kind, tree.order(f), tree.pivots(f));
    const double block = sparse::front_border_nnz(analysis.kind, tree.order(f), tree.pivots(f));
    peak = std::max(peak, factors + waiting + block);
    waiting += block - waiting_below[f];
    if (tree.parent[f] >= 0) waiting_below[tree.parent[f]] += block;
  }
  const double indices = 4.0 * static_cast<double>(tree.row.size());
  return peak * static_cast<double>(scalar_bytes) + indices;
}

}  // namespace overlapack::api
