#include "sparse/multifrontal/entries.hpp"

#include "comm/collective/collective.hpp"
#include "kernels/operand.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace overlapack::sparse {

namespace {

/// What goes to one rank, while it is filled.
template <class T>
struct Share {
  std::vector<Index> start{0};
  std::vector<std::int32_t> row, col;
  std::vector<T> value;
};

std::vector<std::int32_t> inverse(const std::vector<Index>& perm) {
  std::vector<std::int32_t> place(perm.size());
  for (std::size_t k = 0; k < perm.size(); ++k) place[perm[k]] = static_cast<std::int32_t>(k);
  return place;
}

std::vector<std::int32_t> front_of_variable(const AssemblyTree& tree) {
  std::vector<std::int32_t> front(static_cast<std::size_t>(tree.n));
  for (Index f = 0; f < tree.fronts(); ++f)
    std::fill(front.begin() + tree.first_pivot[f], front.begin() + tree.first_pivot[f + 1],
              static_cast<std::int32_t>(f));
  return front;
}

/// Visit every entry that is assembled: visit(front, row, col, original row, original column, its number).
template <class T, class Visit>
void for_each_entry(const SparseMatrix<T>& A, const Analysis& analysis, Visit&& visit) {
  const std::vector<std::int32_t> row_place = inverse(analysis.row_perm),
                                  col_place = inverse(analysis.col_perm);
  const std::vector<std::int32_t> front = front_of_variable(analysis.tree);
  const bool lower_only = analysis.kind != FactorKind::lu;
  for (Index c = 0; c < A.cols; ++c) {
    const std::int32_t j = col_place[c];
    for (Index k = A.start[c]; k < A.start[c + 1]; ++k) {
      const std::int32_t i = row_place[A.row[k]];
      if (lower_only && i < j) continue;
      visit(front[std::min(i, j)], i, j, A.row[k], c, k);
    }
  }
}

struct LargestEntries {
  std::vector<double> row, col;  ///< by permuted index
};

template <class T>
std::vector<Share<T>> fill_shares(int ranks, const Structure& structure, const Analysis& analysis,
                                  const SparseMatrix<T>& A, LargestEntries& largest) {
  std::vector<Index> next(static_cast<std::size_t>(structure.tree.fronts()), 0);
  for_each_entry(A, analysis, [&](Index f, Index, Index, Index, Index, Index) { ++next[f]; });
  std::vector<Share<T>> shares(static_cast<std::size_t>(ranks));
  for (Index f = 0; f < structure.tree.fronts(); ++f) {  // counts become places
    auto& start = shares[structure.owner[f]].start;
    start.push_back(start.back() + next[f]);
    next[f] = start[start.size() - 2];
  }
  for (auto& share : shares) {
    const auto count = static_cast<std::size_t>(share.start.back());
    share.row.resize(count);
    share.col.resize(count);
    share.value.resize(count);
  }
  for_each_entry(A, analysis, [&](Index f, Index i, Index j, Index r, Index c, Index k) {
    Share<T>& share = shares[structure.owner[f]];
    const Index place = next[f]++;
    share.row[place] = static_cast<std::int32_t>(i);
    share.col[place] = static_cast<std::int32_t>(j);
    const T value = scaled_entry(A.value[k], analysis.row_scale[r], analysis.col_scale[c]);
    share.value[place] = value;
    const double size = kernels::magnitude(value);
    largest.row[i] = std::max(largest.row[i], size);
    largest.col[j] = std::max(largest.col[j], size);
  });
  return shares;
}

}  // namespace

template <class T>
FrontEntries<T> EntryStore<T>::of_front(Index k) const {
  const auto start = start_.as<Index>();
  const auto first = static_cast<std::size_t>(start[k]),
             count = static_cast<std::size_t>(start[k + 1] - start[k]);
  return {row_.as<std::int32_t>().subspan(first, count), col_.as<std::int32_t>().subspan(first, count),
          value_.as<T>().subspan(first, count)};
}

template <class T>
EntryStore<T> EntryStore<T>::distribute(comm::Rank& rank, const Structure& structure,
                                        const Analysis* analysis, const SparseMatrix<T>* A) {
  std::vector<comm::Body> start, row, col, value;
  LargestEntries largest;
  if (rank.rank() == 0) {
    largest.row.resize(static_cast<std::size_t>(structure.tree.n));
    largest.col.resize(largest.row.size());
    for (auto& share : fill_shares(rank.size(), structure, *analysis, *A, largest)) {
      start.push_back(comm::Body::adopt(std::move(share.start)));
      row.push_back(comm::Body::adopt(std::move(share.row)));
      col.push_back(comm::Body::adopt(std::move(share.col)));
      value.push_back(comm::Body::adopt(std::move(share.value)));
    }
    if (structure.is_symmetric())  // only the lower triangle was seen
      std::ranges::transform(largest.row, largest.col, largest.row.begin(),
                             [](double a, double b) { return std::max(a, b); });
  }
  EntryStore store;
  store.start_ = comm::collective::scatter(rank, 0, std::move(start));
  store.row_ = comm::collective::scatter(rank, 0, std::move(row));
  store.col_ = comm::collective::scatter(rank, 0, std::move(col));
  store.value_ = comm::collective::scatter(rank, 0, std::move(value));
  store.row_size_ = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(largest.row)));
  store.col_size_ = structure.is_symmetric()
                        ? store.row_size_
                        : comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(largest.col)));
  return store;
}

template class EntryStore<float>;
template class EntryStore<double>;
template class EntryStore<std::complex<float>>;
template class EntryStore<std::complex<double>>;

}  // namespace overlapack::sparse
