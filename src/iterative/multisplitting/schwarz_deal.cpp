#include "iterative/multisplitting/schwarz_deal.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace overlapack::iterative {

namespace {

/// Position of unknown i in a rank's state; -1 if the state does not have it.
template <class T>
Index position_of(const RowDistribution<T>& deal, int rank, Index i) {
  return deal.owner[static_cast<std::size_t>(i)] == rank ? deal.local[static_cast<std::size_t>(i)]
                                                         : deal.halo_position(rank, i);
}

template <class T>
void add_halos(BlockDeal<T>& deal, BlockHalo halo) {
  for (int r = 0; r < deal.rows->ranks(); ++r)
    for (const auto& rows : deal.blocks[static_cast<std::size_t>(r)]) {
      if (halo == BlockHalo::inside) {
        deal.rows->add_halo_unknowns(r, rows.S);
        continue;
      }
      const std::unordered_set<Index> inside(rows.S.begin(), rows.S.end());
      for (const Index i : rows.S)
        for (const Index j : deal.rows->columns_of(i))
          if (!inside.contains(j)) deal.rows->add_halo_unknowns(r, {&j, 1});
    }
  deal.rows->sort_halos();
}

/// Fill `block` with the entries of the rows S: those of A(S, S) by columns, the others by rows. inside: work space, -1 for each
/// unknown of the matrix; restored.
template <class T>
void take_entries(const RowDistribution<T>& rows, const RowNumbers& S, int rank, BlockHalo halo,
                  RowNumbers& inside, ExtendedBlock<T>& block) {
  const auto order = static_cast<Index>(S.size());
  for (Index s = 0; s < order; ++s) inside[S[s]] = s;
  const auto for_each_inside = [&](Index s, auto visit) {
    const Index i = S[s];
    if (rows.diagonal[i] != T(0)) visit(s, rows.diagonal[i]);
    for (Index p = rows.start[i]; p < rows.start[i + 1]; ++p)
      if (const Index at = inside[rows.col[p]]; at >= 0) visit(at, rows.value[p]);
  };
  RowNumbers& start = block.inside.start;
  start.assign(static_cast<std::size_t>(order + 1), 0);
  for (Index s = 0; s < order; ++s) for_each_inside(s, [&](Index at, const T&) { ++start[at + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  block.inside.row.resize(static_cast<std::size_t>(start.back()));
  block.inside.value.resize(block.inside.row.size());
  RowNumbers next(start.begin(), start.end() - 1);
  block.start.push_back(0);
  for (Index s = 0; s < order; ++s) {
    for_each_inside(s, [&](Index at, const T& a) {
      block.inside.row[next[at]] = s;
      block.inside.value[next[at]++] = a;
    });
    for (Index p = rows.start[S[s]]; halo == BlockHalo::around && p < rows.start[S[s] + 1]; ++p) {
      if (inside[rows.col[p]] >= 0) continue;
      block.position.push_back(position_of(rows, rank, rows.col[p]));
      block.value.push_back(rows.value[p]);
    }
    block.start.push_back(static_cast<Index>(block.position.size()));
  }
  for (const Index i : S) inside[i] = -1;
}

template <class T>
ExtendedBlock<T> extended_block(const BlockDeal<T>& deal, const typename BlockDeal<T>::Rows& rows, int rank,
                                std::span<const Index> shared_by, Symmetry symmetry, BlockHalo halo,
                                RowNumbers& inside) {
  ExtendedBlock<T> block;
  block.inside.rows = block.inside.cols = static_cast<Index>(rows.S.size());
  block.inside.symmetry = symmetry;
  for (std::size_t s = 0; s < rows.S.size(); ++s) {
    (s < rows.W.size() ? block.own : block.beyond).push_back(position_of(*deal.rows, rank, rows.S[s]));
    block.shared_by.push_back(shared_by[static_cast<std::size_t>(rows.S[s])]);
  }
  take_entries(*deal.rows, rows.S, rank, halo, inside, block);
  return block;
}

/// Call visit for the lists of a block, in the order of its message, where each follows its length. The order and the symmetry of
/// A(S, S) are not among them.
template <class T, class Visit>
void for_each_list(ExtendedBlock<T>& block, Visit&& visit) {
  for (RowNumbers* list : {&block.inside.start, &block.inside.row, &block.own, &block.start, &block.position,
                           &block.beyond, &block.shared_by})
    visit(*list);
}

/// Message to rank r: the lists of its blocks. Their values are appended to `entries`.
template <class T>
RowNumbers packed(int r, const BlockDeal<T>& deal, std::span<const Index> shared_by, Symmetry symmetry,
                  BlockHalo halo, std::vector<T>& entries) {
  const auto& blocks = deal.blocks[static_cast<std::size_t>(r)];
  RowNumbers numbers{std::ssize(blocks)}, inside(deal.owner.size(), -1);
  for (const auto& rows : blocks) {
    ExtendedBlock<T> block = extended_block(deal, rows, r, shared_by, symmetry, halo, inside);
    numbers.push_back(static_cast<Index>(symmetry));
    for_each_list(block, [&](const RowNumbers& list) {
      numbers.push_back(std::ssize(list));
      numbers.insert(numbers.end(), list.begin(), list.end());
    });
    entries.insert(entries.end(), block.inside.value.begin(), block.inside.value.end());
    entries.insert(entries.end(), block.value.begin(), block.value.end());
  }
  return numbers;
}

template <class T>
ExtendedBlock<T> unpacked(std::span<const Index>& numbers, std::span<const T>& values) {
  ExtendedBlock<T> block;
  const auto take = [](auto& from, Index count) {
    const auto part = from.first(static_cast<std::size_t>(count));
    from = from.subspan(part.size());
    return part;
  };
  block.inside.symmetry = static_cast<Symmetry>(take(numbers, 1)[0]);
  for_each_list(block, [&](RowNumbers& list) {
    const auto part = take(numbers, take(numbers, 1)[0]);
    list.assign(part.begin(), part.end());
  });
  block.inside.rows = block.inside.cols = static_cast<Index>(block.order());
  const auto inner = take(values, std::ssize(block.inside.row)),
             outer = take(values, std::ssize(block.position));
  block.inside.value.assign(inner.begin(), inner.end());
  block.value.assign(outer.begin(), outer.end());
  return block;
}

}  // namespace

template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, const RowNumbers& own, int layers) {
  RowNumbers rows = own;
  std::unordered_set<Index> seen(own.begin(), own.end());
  std::size_t first = 0;  // of the last layer
  for (int layer = 0; layer < layers; ++layer) {
    const std::size_t end = rows.size();
    for (; first < end; ++first)
      for (const Index j : deal.columns_of(rows[first]))
        if (seen.insert(j).second) rows.push_back(j);
  }
  std::sort(rows.begin() + std::ssize(own), rows.end());
  return rows;
}

template <class T>
BlockDeal<T> deal_blocks(const SparseMatrix<T>* A, std::span<const int> block, int blocks, int ranks,
                         int overlap) {
  BlockDeal<T> deal;
  if (!A) return deal;
  std::vector<RowNumbers> own(static_cast<std::size_t>(blocks));
  for (std::size_t i = 0; i < block.size(); ++i) {
    deal.owner.push_back(rank_of_block(block[i], blocks, ranks));
    own[static_cast<std::size_t>(block[i])].push_back(static_cast<Index>(i));
  }
  deal.rows = std::make_unique<RowDistribution<T>>(*A, deal.owner, ranks);
  deal.blocks.resize(static_cast<std::size_t>(ranks));
  for (int b = 0; b < blocks; ++b) {
    RowNumbers& W = own[static_cast<std::size_t>(b)];
    RowNumbers S = extended_rows(*deal.rows, W, overlap);
    deal.blocks[static_cast<std::size_t>(rank_of_block(b, blocks, ranks))].push_back(
        {std::move(W), std::move(S)});
  }
  return deal;
}

template <class T>
std::vector<ExtendedBlock<T>> scatter_blocks(comm::Rank& rank, BlockDeal<T>& deal, Symmetry symmetry,
                                             BlockHalo halo) {
  std::vector<comm::Body> patterns(deal.blocks.size()), values(deal.blocks.size());
  if (deal.rows) {
    add_halos(deal, halo);
    RowNumbers shared_by(deal.owner.size());
    for (const auto& blocks : deal.blocks)
      for (const auto& rows : blocks)
        for (const Index i : rows.S) ++shared_by[static_cast<std::size_t>(i)];
    rank.run_slices({.kind = "pack", .bytes = deal.rows->bytes()}, deal.blocks.size(), [&](std::size_t r) {
      std::vector<T> entries;
      patterns[r] = comm::Body::adopt(packed(static_cast<int>(r), deal, shared_by, symmetry, halo, entries));
      values[r] = comm::Body::adopt(std::move(entries));
    });
  }
  const comm::Body pattern = comm::collective::scatter(rank, 0, std::move(patterns));
  const comm::Body body = comm::collective::scatter(rank, 0, std::move(values));
  std::span<const Index> numbers = pattern.as<Index>();
  std::span<const T> entries = body.template as<T>();
  const Index count = numbers[0];
  numbers = numbers.subspan(1);
  std::vector<ExtendedBlock<T>> mine;
  for (Index b = 0; b < count; ++b) mine.push_back(unpacked(numbers, entries));
  return mine;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                 \
  template RowNumbers extended_rows(const RowDistribution<T>&, const RowNumbers&, int);           \
  template BlockDeal<T> deal_blocks(const SparseMatrix<T>*, std::span<const int>, int, int, int); \
  template std::vector<ExtendedBlock<T>> scatter_blocks(comm::Rank&, BlockDeal<T>&, Symmetry, BlockHalo);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
