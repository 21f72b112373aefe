#include "iterative/multisplitting/schwarz_deal.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <unordered_map>

namespace overlapack::iterative {

namespace {

/// A block's indices in one message: order, symmetry, number of entries of both parts; then the four lists.
template <class T>
RowNumbers packed_pattern(const ExtendedBlock<T>& block) {
  RowNumbers numbers{block.inside.rows, static_cast<Index>(block.inside.symmetry), block.inside.nnz(),
                     static_cast<Index>(block.value.size())};
  for (const RowNumbers* list : {&block.inside.start, &block.inside.row, &block.start, &block.position})
    numbers.insert(numbers.end(), list->begin(), list->end());
  return numbers;
}

template <class T>
ExtendedBlock<T> unpacked(std::span<const Index> numbers, std::span<const T> values) {
  ExtendedBlock<T> block;
  const Index order = numbers[0], inner = numbers[2], outer = numbers[3];
  block.inside.rows = block.inside.cols = order;
  block.inside.symmetry = static_cast<Symmetry>(numbers[1]);
  numbers = numbers.subspan(4);
  const auto take = [&](Index count) {
    const auto part = numbers.first(static_cast<std::size_t>(count));
    numbers = numbers.subspan(part.size());
    return RowNumbers(part.begin(), part.end());
  };
  block.inside.start = take(order + 1);
  block.inside.row = take(inner);
  block.start = take(order + 1);
  block.position = take(outer);
  block.inside.value.assign(values.begin(), values.begin() + inner);
  block.value.assign(values.begin() + inner, values.end());
  return block;
}

}  // namespace

template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, int r, int layers) {
  RowNumbers rows = deal.rows_of_rank[r];
  const auto own = static_cast<std::ptrdiff_t>(rows.size());
  std::set<Index> beyond;
  std::size_t first = 0;  // of the last layer
  for (int layer = 0; layer < layers; ++layer) {
    const std::size_t end = rows.size();
    for (; first < end; ++first)
      for (const Index j : deal.others_of(rows[first]))
        if (deal.owner[j] != r && beyond.insert(j).second) rows.push_back(j);
  }
  std::sort(rows.begin() + own, rows.end());
  return rows;
}

template <class T>
ExtendedBlock<T> extended_block(const RowDistribution<T>& deal, int r, const RowNumbers& S,
                                Symmetry symmetry) {
  std::unordered_map<Index, Index> inside;
  for (const Index i : S) inside.emplace(i, static_cast<Index>(inside.size()));
  const std::map<Index, Index> positions = deal.halo_positions(r);
  ExtendedBlock<T> block;
  SparseMatrix<T>& B = block.inside;
  B.rows = B.cols = static_cast<Index>(S.size());
  B.symmetry = symmetry;
  std::vector<std::vector<Index>> row(S.size());
  std::vector<std::vector<T>> value(S.size());
  block.start.push_back(0);
  const auto add = [&](Index i, Index j, const T& a) {
    row[static_cast<std::size_t>(j)].push_back(i);
    value[static_cast<std::size_t>(j)].push_back(a);
  };
  for (std::size_t s = 0; s < S.size(); ++s) {
    const Index i = S[s], here = static_cast<Index>(s);
    if (deal.diagonal[i] != T(0)) add(here, here, deal.diagonal[i]);
    for (Index p = deal.start[i]; p < deal.start[i + 1]; ++p) {
      const auto at = inside.find(deal.col[p]);
      if (at != inside.end()) {
        add(here, at->second, deal.value[p]);
      } else {
        block.position.push_back(positions.at(deal.col[p]));
        block.value.push_back(deal.value[p]);
      }
    }
    block.start.push_back(static_cast<Index>(block.position.size()));
  }
  for (std::size_t j = 0; j < S.size(); ++j) {
    B.row.insert(B.row.end(), row[j].begin(), row[j].end());
    B.value.insert(B.value.end(), value[j].begin(), value[j].end());
    B.start.push_back(B.nnz());
  }
  return block;
}

template <class T>
ExtendedBlock<T> scatter_blocks(comm::Rank& rank, std::vector<ExtendedBlock<T>> blocks) {
  std::vector<comm::Body> patterns, values;
  for (ExtendedBlock<T>& block : blocks) {
    patterns.push_back(comm::Body::adopt(packed_pattern(block)));
    std::vector<T> numbers = std::move(block.inside.value);
    numbers.insert(numbers.end(), block.value.begin(), block.value.end());
    values.push_back(comm::Body::adopt(std::move(numbers)));
    block = {};
  }
  const comm::Body pattern = comm::collective::scatter(rank, 0, std::move(patterns));
  const comm::Body numbers = comm::collective::scatter(rank, 0, std::move(values));
  return unpacked<T>(pattern.as<Index>(), numbers.as<T>());
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template RowNumbers extended_rows(const RowDistribution<T>&, int, int);                                \
  template ExtendedBlock<T> extended_block(const RowDistribution<T>&, int, const RowNumbers&, Symmetry); \
  template ExtendedBlock<T> scatter_blocks(comm::Rank&, std::vector<ExtendedBlock<T>>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
