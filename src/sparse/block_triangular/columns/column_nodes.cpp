#include "sparse/block_triangular/columns/column_nodes.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse::block_triangular {
namespace {

template <class T>
class NodeSearch {
 public:
  explicit NodeSearch(const EntryColumns<T>& L) : L_(L), marked_by_(L.start.size() - 1, -1) {}

  /// Is L(:, j) = {j + 1} and L(:, j + 1)?
  bool joins_next(Index j) {
    const Index next = j + 1;
    if (count(j) != count(next) + 1) return false;
    for (Index p = L_.start[j]; p < L_.start[next]; ++p) marked_by_[L_.row[p]] = static_cast<Node>(j);
    const auto is_marked = [&](Node i) { return marked_by_[i] == j; };
    return is_marked(static_cast<Node>(next)) &&
           std::all_of(L_.row.begin() + L_.start[next], L_.row.begin() + L_.start[next + 1], is_marked);
  }

 private:
  Index count(Index j) const { return L_.start[j + 1] - L_.start[j]; }

  const EntryColumns<T>& L_;
  std::vector<Node> marked_by_;
};

/// Of L D L^T, with ascending rows: have columns j and j + 1 the same rows behind the pivot of j + 1?
template <class T>
bool joins_next(const ColumnFactors<T>& factors, Index j) {
  const EntryColumns<T>& L = factors.lower;
  if (factors.is_pair(j)) return true;
  const Index next = j + 1, pivots = factors.is_pair(next) ? 2 : 1;
  const auto column = [&](Index k) {
    return std::span(L.row).subspan(static_cast<std::size_t>(L.start[k]),
                                    static_cast<std::size_t>(L.start[k + 1] - L.start[k]));
  };
  const auto own = column(j), behind = column(next);
  return own.size() == behind.size() + static_cast<std::size_t>(pivots) && own[0] == next &&
         (pivots == 1 || own[1] == next + 1) && std::ranges::equal(own.last(behind.size()), behind);
}

}  // namespace

template <class T>
void arrange_by_nodes(ColumnFactors<T>& factors) {
  EntryColumns<T>&L = factors.lower, &U = factors.upper;
  std::vector<Node>& node_end = factors.node_end;
  node_end.resize(static_cast<std::size_t>(factors.columns()));
  NodeSearch<T> search(L);
  for (Index b = 0; b < factors.blocks(); ++b) {
    const Index first = factors.block_start[b], end = factors.block_start[b + 1];
    for (Index k = end - 1; k >= first; --k) {
      const auto in_block = std::find_if(U.row.begin() + U.start[k], U.row.begin() + U.start[k + 1],
                                         [&](Node i) { return i >= first; });
      std::sort(in_block, U.row.begin() + U.start[k + 1]);
      const auto rows = L.row.begin() + L.start[k];
      const bool joins = k + 1 < end && search.joins_next(k);
      node_end[k] = joins ? node_end[k + 1] : static_cast<Node>(k + 1);
      if (!joins) {
        std::sort(rows, L.row.begin() + L.start[k + 1]);
        continue;
      }
      *rows = static_cast<Node>(k + 1);
      std::copy(L.row.begin() + L.start[k + 1], L.row.begin() + L.start[k + 2], rows + 1);
    }
  }
}

template <class T>
void list_rows(ColumnFactors<T>& factors) {
  EntryColumns<T>& L = factors.lower;
  const Index n = factors.columns();
  std::vector<Index> start(static_cast<std::size_t>(n) + 1, 0), next;
  for (const Node i : L.row) ++start[i + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  LargeVector<Node> column(L.row.size());  // row after row
  next.assign(start.begin(), start.end() - 1);
  for (Index j = 0; j < n; ++j)
    for (Index p = L.start[j]; p < L.start[j + 1]; ++p) column[next[L.row[p]]++] = static_cast<Node>(j);
  next.assign(L.start.begin(), L.start.end() - 1);
  for (Index i = 0; i < n; ++i)
    for (Index p = start[i]; p < start[i + 1]; ++p) L.row[next[column[p]]++] = static_cast<Node>(i);

  std::vector<Node> node_end(static_cast<std::size_t>(n));
  for (Index j = n - 1; j >= 0; --j)
    node_end[j] = j + 1 < n && joins_next(factors, j) ? node_end[j + 1] : static_cast<Node>(j + 1);

  RowNodes& rows = factors.rows;
  rows.start.assign(static_cast<std::size_t>(n) + 1, 0);
  rows.parts.clear();
  next.assign(L.start.begin(), L.start.end() - 1);
  for (Index i = 0; i < n; ++i) {
    for (Index p = start[i]; p < start[i + 1]; ++p) {
      const Node j = column[p];
      const bool goes_on = static_cast<Index>(rows.parts.size()) > rows.start[i] &&
                           rows.parts.back().end == j && node_end[j - 1] == node_end[j];
      const Index at = next[j]++;
      if (goes_on)
        rows.parts.back() = {at, rows.parts.back().first, j + 1};
      else
        rows.parts.push_back({at, j, j + 1});
    }
    rows.start[i + 1] = static_cast<Index>(rows.parts.size());
  }
}

#define OVERLAPACK_INSTANTIATE(T)                    \
  template void arrange_by_nodes(ColumnFactors<T>&); \
  template void list_rows(ColumnFactors<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
