#include "iterative/driver/row_deal.hpp"

#include "base/bytes_of.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>

namespace overlapack::iterative {

template <class T>
std::vector<int> consecutive_rows(const SparseMatrix<T>& A, int ranks) {
  std::vector<int> owner(static_cast<std::size_t>(A.rows));
  const double all = static_cast<double>(A.nnz() + A.rows);
  for (Index i = 0; i < A.rows; ++i)
    owner[i] = std::min(ranks - 1, static_cast<int>(static_cast<double>(A.start[i] + i) / all * ranks));
  return owner;
}

template <class T>
Index halo_unknowns(const SparseMatrix<T>& A, std::span<const int> owner) {
  Index unknowns = 0;
  std::vector<int> needing;
  for (Index j = 0; j < A.cols; ++j) {
    needing.clear();
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (const int other = owner[A.row[p]];
          other != owner[j] && std::ranges::find(needing, other) == needing.end())
        needing.push_back(other);
    unknowns += std::ssize(needing);
  }
  return unknowns;
}

template <class T>
RowDistribution<T>::RowDistribution(const SparseMatrix<T>& A, std::span<const int> owners, int ranks)
    : start(static_cast<std::size_t>(A.rows) + 1, 0),
      diagonal(static_cast<std::size_t>(A.rows), T(0)),
      owner(owners),
      rows_of_rank(static_cast<std::size_t>(ranks)),
      local(owners.size()),
      halo(static_cast<std::size_t>(ranks)) {
  const bool rows_are_columns = A.symmetry == Symmetry::symmetric;
  const auto each = [&](auto visit) {
    for (Index j = 0; j < A.cols; ++j)
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
        if (const Index i = A.row[p]; i != j)
          rows_are_columns ? visit(j, i, A.value[p]) : visit(i, j, A.value[p]);
  };
  each([&](Index i, Index, const T&) { ++start[i + 1]; });
  for (Index i = 0; i < A.rows; ++i) start[i + 1] += start[i];
  col.resize(static_cast<std::size_t>(start.back()));
  value.resize(col.size());
  RowNumbers at(start.begin(), start.end() - 1);
  each([&](Index i, Index j, const T& a) {
    col[at[i]] = j;
    value[at[i]++] = a;
  });
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] == j) diagonal[j] = A.value[p];
  for (std::size_t i = 0; i < owner.size(); ++i) {
    local[i] = static_cast<Index>(rows_of_rank[owner[i]].size());
    rows_of_rank[owner[i]].push_back(static_cast<Index>(i));
    add_halo_unknowns(owner[i], columns_of(static_cast<Index>(i)));
  }
  sort_halos();
}

template <class T>
void RowDistribution<T>::add_halo_unknowns(int r, std::span<const Index> unknowns) {
  for (const Index j : unknowns)
    if (owner[j] != r) halo[r].push_back(j);
}

template <class T>
void RowDistribution<T>::sort_halos() {
  for (RowNumbers& unknowns : halo) {
    std::ranges::sort(unknowns, {}, [&](Index j) { return std::pair(owner[j], j); });
    unknowns.erase(std::ranges::unique(unknowns).begin(), unknowns.end());
  }
}

template <class T>
Index RowDistribution<T>::halo_position(int r, Index unknown) const {
  const auto key = [&](Index j) { return std::pair(owner[j], j); };
  const auto at = std::ranges::lower_bound(halo[r], key(unknown), {}, key);
  if (at == halo[r].end() || *at != unknown) return -1;
  return static_cast<Index>(rows_of_rank[r].size()) + (at - halo[r].begin());
}

template <class T>
double RowDistribution<T>::bytes() const {
  return bytes_of(start, col, value, diagonal, local) + bytes_of_nested(rows_of_rank) + bytes_of_nested(halo);
}

template <class T>
std::vector<std::pair<int, std::span<const Index>>> RowDistribution<T>::needs_by_owner(int r) const {
  std::vector<std::pair<int, std::span<const Index>>> parts;
  for (auto first = halo[r].begin(); first != halo[r].end();) {
    const int other = owner[*first];
    const auto last = std::find_if(first, halo[r].end(), [&](Index j) { return owner[j] != other; });
    parts.emplace_back(other, std::span<const Index>(first, last));
    first = last;
  }
  return parts;
}

template <class T>
std::vector<T> scatter_entries(comm::Rank& rank, std::span<const RowNumbers> lists, const T* b) {
  std::vector<comm::Body> parts;
  for (const RowNumbers& list : lists) {
    std::vector<T> part;
    for (const Index i : list) part.push_back(b[i]);
    parts.push_back(comm::Body::adopt(std::move(part)));
  }
  const comm::Body body = comm::collective::scatter(rank, 0, std::move(parts));
  const auto mine = body.template as<T>();
  return {mine.begin(), mine.end()};
}

#define OVERLAPACK_INSTANTIATE(T)                                             \
  template std::vector<int> consecutive_rows(const SparseMatrix<T>&, int);    \
  template Index halo_unknowns(const SparseMatrix<T>&, std::span<const int>); \
  template struct RowDistribution<T>;                                         \
  template std::vector<T> scatter_entries(comm::Rank&, std::span<const RowNumbers>, const T*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
template std::vector<Index> scatter_entries(comm::Rank&, std::span<const RowNumbers>, const Index*);

}  // namespace overlapack::iterative
