#include "api/predicted_memory.hpp"

#include "base/matrix_view.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::api {

namespace {

double entries(Index rows, Index cols) {
  return static_cast<double>(padded_ld(rows)) * static_cast<double>(cols);
}

}  // namespace

double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root) {
  const sparse::AssemblyTree& tree = analysis.tree;
  const bool is_lu = analysis.kind == sparse::FactorKind::lu;
  std::vector<double> waiting_below(
      static_cast<std::size_t>(tree.fronts()));  // children's blocks of each front
  double factors = 0, waiting = 0, largest = 0, peak = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const Index s = tree.pivots(f), border = tree.border(f);
    factors += entries(tree.order(f), s) + (is_lu ? entries(border, s) : 0);
    const double block = entries(border, border);
    largest = std::max(largest, block);
    const double copies = f == grid_root ? waiting_below[f] : 0;
    peak = std::max(peak, factors + waiting + block + copies);
    waiting += block - waiting_below[f];
    if (tree.parent[f] >= 0) waiting_below[tree.parent[f]] += block;
  }
  const double names = static_cast<double>(tree.n) * (is_lu ? 2 : 1) * sizeof(std::int32_t);
  return (peak + largest) * static_cast<double>(scalar_bytes) + names;  // one block is kept for reuse
}

}  // namespace overlapack::api
