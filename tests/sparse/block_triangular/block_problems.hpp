#pragma once
#include "sparse/block_triangular/block_triangular.hpp"
#include "sparse/methods/make_factors.hpp"
#include "sparse/multifrontal/problems.hpp"

#include <numeric>
#include <utility>
#include <vector>

/// Matrices with diagonal blocks, and plans for them.
namespace overlapack::sparse::testing {

using namespace block_triangular;

/// Random diagonal blocks with entries above them, rows and columns shuffled each for themselves. The diagonal is weak,
/// so that pivots are sought beside it.
template <class T>
SparseMatrix<T> shuffled_blocks(const std::vector<Index>& sizes, std::uint64_t seed) {
  Random random(seed);
  const Index n = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  std::vector<Index> row(static_cast<std::size_t>(n)), column(row.size());
  for (auto* order : {&row, &column}) {
    std::iota(order->begin(), order->end(), Index{0});
    for (std::size_t k = order->size(); k > 1; --k) std::swap((*order)[k - 1], (*order)[random.below(k)]);
  }
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  const auto add = [&](Index i, Index j, T v) { entries.add(row[i], column[j], v); };
  Index first = 0;
  for (const Index size : sizes) {
    for (Index j = first; j < first + size; ++j) {
      add(j, j, random_value<T>(random) + T(static_cast<Real<T>>(size == 1 ? 2 : 0.1)));
      add(first + (j - first + 1) % size, j, random_value<T>(random) + T(1));  // strongly connected
      for (int k = 0; k < 2; ++k) {
        add(first + static_cast<Index>(random.below(static_cast<std::uint64_t>(size))), j,
            random_value<T>(random));
        add(static_cast<Index>(random.below(static_cast<std::uint64_t>(first + size))), j,
            random_value<T>(random));
      }
    }
    first += size;
  }
  return compress(std::move(entries)).matrix;
}

inline AnalysisPlan by_blocks() {
  AnalysisPlan plan;
  plan.block_form = Switch::on;
  return plan;
}
/// Blocks of order above 1 that take any work go by fronts.
inline AnalysisPlan by_fronts() {
  AnalysisPlan plan = by_blocks();
  plan.low_fill = plan.fronts_least_flops = 0;
  return plan;
}
/// Only blocks with some work go by fronts.
inline AnalysisPlan mixed() {
  AnalysisPlan plan = by_blocks();
  plan.low_fill = 5;
  plan.fronts_least_flops = 2000;
  return plan;
}

}  // namespace overlapack::sparse::testing
