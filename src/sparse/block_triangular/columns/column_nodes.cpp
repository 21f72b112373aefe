#include "sparse/block_triangular/columns/column_nodes.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

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

#define OVERLAPACK_INSTANTIATE(T) template void arrange_by_nodes(ColumnFactors<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
