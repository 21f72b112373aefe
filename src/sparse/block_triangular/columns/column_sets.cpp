#include "sparse/block_triangular/columns/column_sets.hpp"

#include "base/instantiate.hpp"
#include "sparse/factors/column_plan.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace overlapack::sparse::block_triangular {
namespace {

/// Parent of each column in the elimination tree; -1: a root, as are all columns of blocks with inner factors.
/// L D L^T: the first row below its pivot. LU: by Liu's algorithm with path compression.
template <class T>
std::vector<Node> column_tree(const ColumnFactors<T>& factors) {
  const EntryColumns<T>&L = factors.lower, &U = factors.upper;
  std::vector<Node> parent(static_cast<std::size_t>(factors.columns()), -1);
  if (factors.is_symmetric()) {
    for (Index j = 0; j < factors.columns(); ++j)
      if (factors.is_pair(j))
        parent[j] = static_cast<Node>(j + 1);
      else if (L.start[j] < L.start[j + 1])
        parent[j] = L.row[L.start[j]];
    return parent;
  }
  std::vector<Node> ancestor = parent;
  for (Index b = 0; b < factors.blocks(); ++b) {
    const Index first = factors.block_start[b];
    for (Index j = first; j < factors.block_start[b + 1]; ++j)
      for (Index p = U.start[j]; p < U.start[j + 1]; ++p)
        for (Node k = U.row[p]; k >= first && k < j;) {
          const Node next = std::exchange(ancestor[k], static_cast<Node>(j));
          if (next < 0) parent[k] = static_cast<Node>(j);
          k = next;
        }
  }
  return parent;
}

/// Predicted seconds of each column: a constant, and some for each entry of U (each part of a row of L) and each
/// multiply-add.
template <class T>
std::vector<double> column_seconds(const ColumnFactors<T>& factors, const ColumnPlan& plan) {
  const EntryColumns<T>&L = factors.lower, &U = factors.upper;
  std::vector<double> seconds(static_cast<std::size_t>(factors.columns()), plan.column_s);
  if (factors.is_symmetric()) {
    for (Index j = 0; j < factors.columns(); ++j)
      for (const RowNodes::Part& part : factors.rows.of_row(j))
        seconds[j] += plan.entry_s + plan.multiply_add_s * static_cast<double>((part.end - part.first) *
                                                                               (L.start[part.end] - part.at));
    return seconds;
  }
  for (Index b = 0; b < factors.blocks(); ++b)
    for (Index j = factors.block_start[b]; j < factors.block_start[b + 1]; ++j)
      for (Index p = U.start[j]; p < U.start[j + 1]; ++p) {
        const Node k = U.row[p];
        const bool is_in_block = k >= factors.block_start[b];
        const auto multiply_adds = static_cast<double>(L.start[k + 1] - L.start[k]);
        seconds[j] += plan.entry_s + (is_in_block ? plan.multiply_add_s * multiply_adds : 0);
      }
  return seconds;
}

}  // namespace

template <class T>
void find_column_sets(ColumnFactors<T>& factors, int threads, const ColumnPlan& plan) {
  const Index n = factors.columns();
  ColumnSets& sets = factors.sets;
  sets.threads = threads;
  sets.start = {0, n};  // all are the rest
  sets.column.resize(static_cast<std::size_t>(n));
  std::iota(sets.column.begin(), sets.column.end(), 0);
  if (threads == 1) return;
  std::vector<double> below = column_seconds(factors, plan), of_set;
  const double total = std::accumulate(below.begin(), below.end(), 0.0);
  if (total < plan.shared_from_s) return;
  const double share = plan.subtree_share * total / threads;
  const std::vector<Node> parent = column_tree(factors);
  for (Index k = 0; k < n; ++k)
    if (parent[k] >= 0) below[parent[k]] += below[k];

  constexpr Node none = -1;
  std::vector<Node> set(static_cast<std::size_t>(n), none);
  for (Index k = n - 1; k >= 0; --k) {
    const bool is_tied = factors.is_symmetric() && factors.is_pair(k);
    if (is_tied || (parent[k] >= 0 && set[parent[k]] != none)) {
      set[k] = set[parent[k]];
    } else if (below[k] <= share) {  // the root of a subtree
      if (of_set.empty() || of_set.back() + below[k] > share) of_set.push_back(0);
      of_set.back() += below[k];
      set[k] = static_cast<Node>(of_set.size() - 1);
    }
  }

  std::vector<Node> rank_of(of_set.size()), by_size(of_set.size());  // the largest set comes first
  std::iota(by_size.begin(), by_size.end(), 0);
  std::ranges::stable_sort(by_size, std::greater<>(), [&](Node s) { return of_set[s]; });
  for (std::size_t i = 0; i < by_size.size(); ++i) rank_of[by_size[i]] = static_cast<Node>(i);
  for (Node& s : set) s = s == none ? static_cast<Node>(of_set.size()) : rank_of[s];

  sets.start.assign(of_set.size() + 2, 0);
  for (const Node s : set) ++sets.start[s + 1];
  std::partial_sum(sets.start.begin(), sets.start.end(), sets.start.begin());
  std::vector<Index> next(sets.start.begin(), sets.start.end() - 1);
  for (Index k = 0; k < n; ++k) sets.column[next[set[k]]++] = static_cast<Node>(k);
}

#define OVERLAPACK_INSTANTIATE(T) template void find_column_sets(ColumnFactors<T>&, int, const ColumnPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
