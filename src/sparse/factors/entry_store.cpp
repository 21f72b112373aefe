#include "sparse/factors/entry_store.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/operand.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// How entries of A become those of B, and which of each row and column is the largest.
template <class T>
struct EntryScaling {
  std::span<const std::int32_t> row_place, col_place;
  std::span<const double> row_scale, col_scale;
  std::span<double> row_size, col_size;
};

/// A rank's part of A.
template <class T>
struct MatrixPart {
  MatrixPart(const comm::Rank& rank, const EntrySource<T>& A)
      : rows(A.slab             ? &A.slab->rows
             : rank.rank() == 0 ? A.whole
                                : nullptr),
        first_row(A.slab ? A.slab->first_row : 0) {}

  /// use(k, c, b) of each entry k that is wanted(k): its column, and what it is in B.
  template <class Wanted, class Use>
  void scale(const EntryScaling<T>& scaling, Wanted&& wanted, Use&& use) const {
    const Index *start = rows->start.data(), *row = rows->row.data();
    const T* const value = rows->value.data();
    for (Index c = 0; c < rows->cols; ++c) {
      const double scale = scaling.col_scale[c];
      double largest = 0;
      for (Index k = start[c], end = start[c + 1]; k < end; ++k) {
        if (!wanted(k)) continue;
        const Index r = row[k] + first_row;
        const T b = scaled_entry(value[k], scaling.row_scale[r], scale);
        const double size = kernels::magnitude(b);
        double& of_row = scaling.row_size[scaling.row_place[r]];
        of_row = std::max(of_row, size);
        largest = std::max(largest, size);
        use(k, c, b);
      }
      double& of_column = scaling.col_size[scaling.col_place[c]];
      of_column = std::max(of_column, largest);
    }
  }

  const SparseMatrix<T>* rows;  ///< null: it has none
  Index first_row;
};

namespace {

std::vector<std::int32_t> inverse(const std::vector<Index>& perm) {
  std::vector<std::int32_t> place(perm.size());
  for (std::size_t k = 0; k < perm.size(); ++k) place[perm[k]] = static_cast<std::int32_t>(k);
  return place;
}

/// Part `r` of what stands one after the other.
template <class V>
comm::Body part_of(const std::shared_ptr<std::vector<V>>& all, const std::vector<Index>& first,
                   std::size_t r) {
  return {all, all->data() + first[r], static_cast<std::size_t>(first[r + 1] - first[r]) * sizeof(V)};
}

/// Everybody's parts[i] on rank i; of rank 0 alone where nobody else has some.
std::vector<comm::Body> from_everybody(comm::Rank& rank, bool is_dealt, std::vector<comm::Body> parts) {
  if (rank.size() == 1) return parts;
  if (is_dealt) return comm::collective::all_to_all(rank, std::move(parts));
  return {comm::collective::scatter(rank, 0, std::move(parts))};
}

template <class V>
std::vector<comm::Body> parts_of(const std::shared_ptr<std::vector<V>>& all,
                                 const std::vector<Index>& first) {
  std::vector<comm::Body> parts;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) parts.push_back(part_of(all, first, r));
  return parts;
}

}  // namespace

template <class T>
EntryList<T> EntryStore<T>::of_slot(Index k) const {
  const auto start = start_.as<Index>();
  const auto first = static_cast<std::size_t>(start[k]),
             count = static_cast<std::size_t>(start[k + 1] - start[k]);
  return {row_.as<std::int32_t>().subspan(first, count), col_.as<std::int32_t>().subspan(first, count),
          value_.as<T>().subspan(first, count)};
}

/// Lists by slot from several ranks, put together slot after slot.
template <class T>
template <class V>
comm::Body EntryStore<T>::by_slot(std::vector<comm::Body> parts) const {
  if (parts.size() == 1) return std::move(parts.front());
  std::vector<V> all;
  const std::size_t slots = starts_.front().template as<Index>().size() - 1;
  for (std::size_t k = 0; k < slots; ++k)
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const auto start = starts_[r].template as<Index>();
      const auto from = parts[r].template as<V>();
      all.insert(all.end(), from.begin() + start[k], from.begin() + start[k + 1]);
    }
  return comm::Body::adopt(std::move(all));
}

template <class T>
EntryScaling<T> EntryStore<T>::scaling() {
  return {row_place_.as<std::int32_t>(),
          col_place_.as<std::int32_t>(),
          row_scale_.as<double>(),
          col_scale_.as<double>(),
          seen_rows_,
          seen_cols_};
}

/// Lists for each rank: where its slots begin, and the rows and columns of their entries.
struct DealtEntries {
  std::vector<comm::Body> starts, rows, columns;
};

/// Counts the entries of each slot, then gives each entry its place behind those of its slot that came before.
template <class T>
DealtEntries EntryStore<T>::deal(const MatrixPart<T>& part, const EntrySlots& slots, int ranks,
                                 bool keeps_places) {
  const auto row_place = row_place_.as<std::int32_t>(), col_place = col_place_.as<std::int32_t>();
  const SparseMatrix<T>& A = *part.rows;
  const auto row_of = std::make_unique_for_overwrite<std::int32_t[]>(A.row.size()),  // of each entry
      slot_of = std::make_unique_for_overwrite<std::int32_t[]>(A.row.size());
  std::ranges::transform(A.row, row_of.get(), [&](Index r) { return row_place[r + part.first_row]; });
  for (Index c = 0; c < A.cols; ++c) {
    const Index first = A.start[c];
    slots.find({row_of.get() + first, static_cast<std::size_t>(A.start[c + 1] - first)}, col_place[c],
               slot_of.get() + first);
  }
  const std::vector<int>& owners = slots.owners();
  std::vector<Index> next(owners.size(), 0);
  for (const std::int32_t slot : std::span(slot_of.get(), A.row.size()))
    if (slot >= 0) ++next[slot];
  std::vector<std::vector<Index>> start(static_cast<std::size_t>(ranks), std::vector<Index>{0});
  for (std::size_t s = 0; s < owners.size(); ++s) {  // counts become places among those of its owner
    auto& of_owner = start[owners[s]];
    of_owner.push_back(of_owner.back() + next[s]);
    next[s] = of_owner[of_owner.size() - 2];
  }
  first_.assign(1, 0);
  for (const auto& of_owner : start) first_.push_back(first_.back() + of_owner.back());
  for (std::size_t s = 0; s < owners.size(); ++s) next[s] += first_[owners[s]];

  const auto count = static_cast<std::size_t>(first_.back());
  const auto row = std::make_shared<std::vector<std::int32_t>>(count),
             column = std::make_shared<std::vector<std::int32_t>>(count);
  filled_ = std::make_shared<std::vector<T>>(count);
  const std::span row_at(*row), column_at(*column);
  const std::span value_at(*filled_);
  if (keeps_places) place_.assign(A.row.size(), -1);
  part.scale(
      scaling(), [&](Index k) { return slot_of[k] >= 0; },
      [&](Index k, Index c, const T& b) {
        const Index place = next[slot_of[k]]++;
        row_at[place] = row_of[k];
        column_at[place] = col_place[c];
        value_at[place] = b;
        if (keeps_places) place_[k] = place;
      });
  DealtEntries dealt{{}, parts_of(row, first_), parts_of(column, first_)};
  for (auto& of_owner : start) dealt.starts.push_back(comm::Body::adopt(std::move(of_owner)));
  return dealt;
}

/// Where B's entries stand in the slots of all ranks.
template <class T>
void EntryStore<T>::route(comm::Rank& rank, const EntrySlots& slots, const Analysis* analysis,
                          const EntrySource<T>& A, bool keeps_places) {
  const bool is_dealt = A.slab != nullptr;
  if (rank.rank() == 0) {
    row_place_ = comm::Body::adopt(inverse(analysis->row_perm));
    col_place_ = comm::Body::adopt(inverse(analysis->col_perm));
    row_scale_ = comm::Body::copy_of(std::span<const double>(analysis->row_scale));
    col_scale_ = comm::Body::copy_of(std::span<const double>(analysis->col_scale));
  }
  if (is_dealt && rank.size() > 1)
    for (comm::Body* body : {&row_place_, &col_place_, &row_scale_, &col_scale_})
      *body = comm::collective::broadcast(rank, 0, std::move(*body));

  DealtEntries dealt;
  if (const MatrixPart<T> part(rank, A); part.rows) dealt = deal(part, slots, rank.size(), keeps_places);
  starts_ = from_everybody(rank, is_dealt, std::move(dealt.starts));
  row_ = by_slot<std::int32_t>(from_everybody(rank, is_dealt, std::move(dealt.rows)));
  col_ = by_slot<std::int32_t>(from_everybody(rank, is_dealt, std::move(dealt.columns)));
  start_ = starts_.front();
  if (starts_.size() > 1) {
    std::vector<Index> sum(start_.as<Index>().size(), 0);
    for (const comm::Body& start : starts_)
      std::ranges::transform(sum, start.as<Index>(), sum.begin(), std::plus<>());
    start_ = comm::Body::adopt(std::move(sum));
  }
  owner_ = slots.owners();
  has_routes_ = keeps_places;
}

/// The values of B at the places that are known.
template <class T>
void EntryStore<T>::fill(const MatrixPart<T>& part) {
  if (filled_.use_count() > 1) filled_ = std::make_shared<std::vector<T>>(filled_->size());
  T* const filled = filled_->data();
  const Index* const place = place_.data();
  part.scale(
      scaling(), [&](Index k) { return place[k] >= 0; },
      [&](Index k, Index, const T& b) { filled[place[k]] = b; });
}

template <class T>
void EntryStore<T>::distribute(comm::Rank& rank, const EntrySlots& slots, const Analysis* analysis,
                               const EntrySource<T>& A, bool keeps_places) {
  value_ = {};
  const MatrixPart<T> part(rank, A);
  if (part.rows)
    for (std::vector<double>* seen : {&seen_rows_, &seen_cols_})
      seen->assign(static_cast<std::size_t>(slots.order()), 0);
  if (!has_routes_ || owner_ != slots.owners())
    route(rank, slots, analysis, A, keeps_places);
  else if (part.rows)
    fill(part);
  std::vector<comm::Body> values;
  if (part.rows) values = parts_of(filled_, first_);
  if (!has_routes_) filled_ = nullptr;
  const bool is_dealt = A.slab != nullptr;
  value_ = by_slot<T>(from_everybody(rank, is_dealt, std::move(values)));
  share_sizes(rank, slots.is_symmetric(), is_dealt);
  if (!has_routes_) row_place_ = col_place_ = row_scale_ = col_scale_ = {};
}

constexpr auto larger = [](double a, double b) { return std::max(a, b); };

template <class T>
void EntryStore<T>::share_sizes(comm::Rank& rank, bool is_symmetric, bool is_dealt) {
  std::vector<double> rows = std::exchange(seen_rows_, {}), cols = std::exchange(seen_cols_, {});
  if (is_symmetric)
    std::ranges::transform(rows, cols, rows.begin(), larger);  // only the lower triangle was seen
  row_size_ = shared_sizes(rank, is_dealt, std::move(rows));
  col_size_ = is_symmetric ? row_size_ : shared_sizes(rank, is_dealt, std::move(cols));
}

/// The largest that any rank has seen.
template <class T>
SharedList<double> EntryStore<T>::shared_sizes(comm::Rank& rank, bool is_dealt,
                                               std::vector<double> seen) const {
  if (is_dealt && rank.size() > 1) comm::collective::all_reduce(rank, std::span<double>(seen), larger);
  const SharedList<double> sizes(std::move(seen));
  return is_dealt || rank.size() == 1 ? sizes : comm::collective::broadcast(rank, 0, sizes);
}

#define OVERLAPACK_INSTANTIATE(T) template class EntryStore<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
