#include "iterative/multisplitting/coarse_parts.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::iterative {

namespace {

/// The couplings between rows, as a symmetric pattern by columns: each coupling stands at both of its rows.
struct Couplings {
  std::vector<Index> start{0}, row;
  std::vector<double> size;
  std::vector<double> largest;  ///< by row: its largest coupling
};

template <class T>
Couplings couplings(const SparseMatrix<T>& A, const SparseMatrix<T>& transpose) {
  Couplings both;
  both.largest.assign(static_cast<std::size_t>(A.rows), 0);
  std::vector<double> of_column(static_cast<std::size_t>(A.rows), 0);
  for (Index j = 0; j < A.cols; ++j) {
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) of_column[A.row[p]] = std::abs(A.value[p]);
    for (Index p = transpose.start[j]; p < transpose.start[j + 1]; ++p) {
      const Index i = transpose.row[p];
      const double size = std::min<double>(of_column[i], std::abs(transpose.value[p]));
      if (i == j || !(size > 0)) continue;
      both.row.push_back(i);
      both.size.push_back(size);
      both.largest[j] = std::max(both.largest[j], size);
    }
    both.start.push_back(std::ssize(both.row));
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) of_column[A.row[p]] = 0;
  }
  return both;
}

/// Find the rows that strong couplings join, inside the block, to the first row of `found`; appends them to `found`, and gives
/// them its number in `part`.
void add_strong_neighbours(std::vector<Index>& found, std::vector<int>& part, const Couplings& of,
                           std::span<const int> block, double strong) {
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Index j = found[k];
    for (Index p = of.start[j]; p < of.start[j + 1]; ++p) {
      const Index i = of.row[p];
      if (part[i] >= 0 || block[i] != block[j] ||
          of.size[p] < strong * std::sqrt(of.largest[i]) * std::sqrt(of.largest[j]))
        continue;
      part[i] = part[j];
      found.push_back(i);
    }
  }
}

}  // namespace

template <class T>
CoarseParts coarse_parts(const SparseMatrix<T>& A, const SparseMatrix<T>& transpose,
                         std::span<const int> block, int blocks, const CoarsePartPlan& plan) {
  const Couplings of = couplings(A, transpose);
  std::vector<int> component(block.size(), -1);
  std::vector<std::vector<std::pair<Index, int>>> of_block(static_cast<std::size_t>(blocks));  // rows, number
  int components = 0;
  std::vector<Index> found;
  for (Index i = 0; i < A.rows; ++i) {
    if (component[i] >= 0) continue;
    component[i] = components;
    found.assign(1, i);
    add_strong_neighbours(found, component, of, block, plan.strong);
    of_block[block[i]].emplace_back(std::ssize(found), components++);
  }
  CoarseParts parts;
  std::vector<int> part_of(static_cast<std::size_t>(components));
  for (auto& mine : of_block) {
    std::ranges::stable_sort(mine, [](const auto& a, const auto& b) { return a.first > b.first; });
    const auto is_large = [&](const auto& part) { return part.first >= plan.least_rows; };
    const Index own = std::min(plan.most, static_cast<Index>(std::ranges::count_if(mine, is_large)));
    for (Index k = 0; k < std::ssize(mine); ++k)
      part_of[mine[k].second] = parts.count + static_cast<int>(std::min(k, own));
    parts.count += static_cast<int>(std::min(own + 1, std::ssize(mine)));
  }
  parts.of_row.reserve(block.size());
  for (const int c : component) parts.of_row.push_back(part_of[c]);
  return parts;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template CoarseParts coarse_parts(const SparseMatrix<T>&, const SparseMatrix<T>&, std::span<const int>, \
                                    int, const CoarsePartPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
