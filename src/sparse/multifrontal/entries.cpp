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

/// Rows of A, from first_row on, and how B comes from them: A's row r is row row_place[r] of B.
template <class T>
struct Part {
  const SparseMatrix<T>& rows;
  Index first_row = 0;
  std::span<const std::int32_t> row_place, col_place;
  std::span<const double> row_scale, col_scale;
};

/// Visit every entry that is assembled: visit(front, row, col, original row, original column, its number).
template <class T, class Visit>
void for_each_entry(const Part<T>& A, const Structure& structure, Visit&& visit) {
  const std::vector<std::int32_t> front = front_of_variable(structure.tree);
  const bool lower_only = structure.is_symmetric();
  for (Index c = 0; c < A.rows.cols; ++c) {
    const std::int32_t j = A.col_place[c];
    for (Index k = A.rows.start[c]; k < A.rows.start[c + 1]; ++k) {
      const Index r = A.rows.row[k] + A.first_row;
      const std::int32_t i = A.row_place[r];
      if (lower_only && i < j) continue;
      visit(front[std::min(i, j)], i, j, r, c, k);
    }
  }
}

struct LargestEntries {
  std::vector<double> row, col;  ///< by permuted index
};

template <class T>
std::vector<Share<T>> fill_shares(int ranks, const Structure& structure, const Part<T>& A,
                                  LargestEntries& largest) {
  std::vector<Index> next(static_cast<std::size_t>(structure.tree.fronts()), 0);
  for_each_entry(A, structure, [&](Index f, Index, Index, Index, Index, Index) { ++next[f]; });
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
  for_each_entry(A, structure, [&](Index f, Index i, Index j, Index r, Index c, Index k) {
    Share<T>& share = shares[structure.owner[f]];
    const Index place = next[f]++;
    share.row[place] = static_cast<std::int32_t>(i);
    share.col[place] = static_cast<std::int32_t>(j);
    const T value = scaled_entry(A.rows.value[k], A.row_scale[r], A.col_scale[c]);
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

/// Lists by front from several ranks, put together front after front.
template <class T>
void EntryStore<T>::take(std::vector<comm::Body> start, std::vector<comm::Body> row,
                         std::vector<comm::Body> col, std::vector<comm::Body> value) {
  if (start.size() == 1) {
    start_ = std::move(start.front());
    row_ = std::move(row.front());
    col_ = std::move(col.front());
    value_ = std::move(value.front());
    return;
  }
  Share<T> all;
  const std::size_t fronts = start.front().template as<Index>().size() - 1;
  const auto append = [](auto& to, const auto& from, Index first, Index end) {
    to.insert(to.end(), from.begin() + first, from.begin() + end);
  };
  for (std::size_t k = 0; k < fronts; ++k) {
    for (std::size_t r = 0; r < start.size(); ++r) {
      const auto from = start[r].template as<Index>();
      append(all.row, row[r].template as<std::int32_t>(), from[k], from[k + 1]);
      append(all.col, col[r].template as<std::int32_t>(), from[k], from[k + 1]);
      append(all.value, value[r].template as<T>(), from[k], from[k + 1]);
    }
    all.start.push_back(static_cast<Index>(all.row.size()));
  }
  start_ = comm::Body::adopt(std::move(all.start));
  row_ = comm::Body::adopt(std::move(all.row));
  col_ = comm::Body::adopt(std::move(all.col));
  value_ = comm::Body::adopt(std::move(all.value));
}

template <class T>
EntryStore<T> EntryStore<T>::distribute(comm::Rank& rank, const Structure& structure,
                                        const Analysis* analysis, const EntrySource<T>& A) {
  namespace collective = comm::collective;
  const bool is_dealt = A.slab != nullptr;
  const bool is_root = rank.rank() == 0;
  comm::Body row_place, col_place, row_scale, col_scale;
  if (is_root) {
    row_place = comm::Body::adopt(inverse(analysis->row_perm));
    col_place = comm::Body::adopt(inverse(analysis->col_perm));
    row_scale = comm::Body::copy_of(std::span<const double>(analysis->row_scale));
    col_scale = comm::Body::copy_of(std::span<const double>(analysis->col_scale));
  }
  if (is_dealt)
    for (comm::Body* body : {&row_place, &col_place, &row_scale, &col_scale})
      *body = collective::broadcast(rank, 0, std::move(*body));

  std::vector<comm::Body> start, row, col, value;
  LargestEntries largest;
  if (is_dealt || is_root) {
    const Part<T> mine{
        is_dealt ? A.slab->rows : *A.whole, is_dealt ? A.slab->first_row : 0, row_place.as<std::int32_t>(),
        col_place.as<std::int32_t>(),       row_scale.as<double>(),           col_scale.as<double>()};
    largest.row.resize(static_cast<std::size_t>(structure.tree.n));
    largest.col.resize(largest.row.size());
    for (auto& share : fill_shares(rank.size(), structure, mine, largest)) {
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
  const auto moved = [&](std::vector<comm::Body> bodies) {
    if (is_dealt) return collective::all_to_all(rank, std::move(bodies));
    return std::vector<comm::Body>{collective::scatter(rank, 0, std::move(bodies))};
  };
  const auto known_to_all = [&](std::vector<double> sizes) {
    if (!is_dealt) return collective::broadcast(rank, 0, comm::Body::adopt(std::move(sizes)));
    collective::all_reduce(rank, std::span<double>(sizes), [](double a, double b) { return std::max(a, b); });
    return comm::Body::adopt(std::move(sizes));
  };
  std::vector<comm::Body> starts = moved(std::move(start)), rows = moved(std::move(row)),
                          cols = moved(std::move(col));
  store.take(std::move(starts), std::move(rows), std::move(cols), moved(std::move(value)));
  store.row_size_ = known_to_all(std::move(largest.row));
  store.col_size_ = structure.is_symmetric() ? store.row_size_ : known_to_all(std::move(largest.col));
  return store;
}

template class EntryStore<float>;
template class EntryStore<double>;
template class EntryStore<std::complex<float>>;
template class EntryStore<std::complex<double>>;

}  // namespace overlapack::sparse
