#include "sparse/factors/entry_store.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// How entries of A become entries of B: permutations and scales. col_size gets the largest entry of each
/// column of B.
struct EntryScaling {
  std::span<const std::int32_t> row_position, col_position;
  std::span<const double> row_scale, col_scale;
  std::span<double> col_size;
};

/// Some columns of A, distributed independently of the others.
struct DistributedColumns {
  Index first = 0, end = 0;
  /// Slot -> at first the number of its entries, later the position of the next one.
  std::vector<Index> next;
  std::vector<double> row_size;  ///< row of B -> its largest entry in these columns; empty if B is symmetric
};

/// This rank's part of A.
template <class T>
struct MatrixPart {
  MatrixPart(const comm::Rank& rank, const EntrySource<T>& A)
      : rows(A.slab             ? &A.slab->rows
             : rank.rank() == 0 ? A.whole
                                : nullptr),
        first_row(A.slab ? A.slab->first_row : 0) {}

  /// Scales all entries of these columns. Calls use(k, j, b) for each entry k with wanted(k); j is its column
  /// in B, b its value there.
  template <class Wanted, class Use>
  void scale(const EntryScaling& scaling, DistributedColumns& columns, Wanted&& wanted, Use&& use) const {
    const Index *start = rows->start.data(), *row = rows->row.data();
    const T* const value = rows->value.data();
    double* const row_size = columns.row_size.empty() ? nullptr : columns.row_size.data();
    for (Index c = columns.first; c < columns.end; ++c) {
      const std::int32_t j = scaling.col_position[c];
      const double scale = scaling.col_scale[c];
      double largest = 0;
      for (Index k = start[c], end = start[c + 1]; k < end; ++k) {
        const Index r = row[k] + first_row;
        const T b = scaled_entry(value[k], scaling.row_scale[r], scale);
        const double size = kernels::magnitude(b);
        largest = std::max(largest, size);
        if (row_size) {
          double& of_row = row_size[scaling.row_position[r]];
          of_row = std::max(of_row, size);
        }
        if (wanted(k)) use(k, j, b);
      }
      scaling.col_size[j] = largest;
    }
  }

  const SparseMatrix<T>* rows;  ///< null: this rank has none
  Index first_row;
};

namespace {

std::vector<std::int32_t> inverse(const std::vector<Index>& perm) {
  std::vector<std::int32_t> position(perm.size());
  for (std::size_t k = 0; k < perm.size(); ++k) position[perm[k]] = static_cast<std::int32_t>(k);
  return position;
}

/// The least entries of a part that is worth a helper; for an unsymmetric matrix it is at least half the
/// number of rows, since each part has a list of row sizes. There are more parts than threads, so that a late
/// helper finds one.
constexpr Index least_entries = 4096, parts_of_thread = 2;

/// Who runs the parts: this rank and helpers. In simulated time this rank alone, since there the distribution
/// costs nothing.
SliceRunner distributors(comm::Rank& rank, double bytes) {
  if (rank.capabilities().virtual_time) return {};
  return comm::slices_of(rank, {.kind = "deal", .bytes = bytes});
}

/// All columns, in parts of about equal numbers of entries if there are helpers.
template <class T>
std::vector<DistributedColumns> parts_of_columns(const SliceRunner& distributors, const SparseMatrix<T>& A,
                                                 bool is_symmetric) {
  const Index least = is_symmetric ? least_entries : std::max(least_entries, A.cols / 2);
  const std::vector<Index> bounds =
      bounds_by_entries(A.start, distributors.slices(A.nnz(), least, parts_of_thread));
  std::vector<DistributedColumns> columns(bounds.size() - 1);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    columns[p].first = bounds[p];
    columns[p].end = bounds[p + 1];
    if (!is_symmetric)
      columns[p].row_size.assign(static_cast<std::size_t>(A.cols), 0);  // of the whole matrix
  }
  return columns;
}

/// Part `r` of an array that has all parts one after the other.
template <class V>
comm::Body part_of(const std::shared_ptr<LargeVector<V>>& all, const std::vector<Index>& first,
                   std::size_t r) {
  return {all, all->data() + first[r], static_cast<std::size_t>(first[r + 1] - first[r]) * sizeof(V)};
}

/// Collective: sends parts[i] to rank i, from all ranks if A is distributed, else from rank 0. Returns the
/// parts that were received.
std::vector<comm::Body> all_gather_parts(comm::Rank& rank, bool is_distributed,
                                         std::vector<comm::Body> parts) {
  if (rank.size() == 1) return parts;
  if (is_distributed) return comm::collective::all_to_all(rank, std::move(parts));
  return {comm::collective::scatter(rank, 0, std::move(parts))};
}

template <class V>
std::vector<comm::Body> parts_of(const std::shared_ptr<LargeVector<V>>& all,
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

/// Merges the lists that came from several ranks, each ordered by slots, into one list ordered by slots.
template <class T>
template <class V>
comm::Body EntryStore<T>::merge_by_slot(std::vector<comm::Body> parts) const {
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
EntryScaling EntryStore<T>::scaling() {
  return {row_position_.as<std::int32_t>(), col_position_.as<std::int32_t>(), row_scale_.as<double>(),
          col_scale_.as<double>(), seen_cols_};
}

/// For each rank: starts of its slots, and rows and columns of their entries.
struct DistributedEntries {
  std::vector<comm::Body> starts, rows, columns;
};

/// Replaces the counts in `next` of all parts by positions among the entries of the slot's owner, in the
/// order of the parts. Returns for each owner where its slots start.
std::vector<std::vector<Index>> positions_of_owners(const std::vector<int>& owners, int ranks,
                                                    std::vector<DistributedColumns>& columns) {
  std::vector<std::vector<Index>> start(static_cast<std::size_t>(ranks), std::vector<Index>{0});
  for (std::size_t s = 0; s < owners.size(); ++s) {
    auto& of_owner = start[owners[s]];
    Index position = of_owner.back();
    for (DistributedColumns& part : columns) {
      const Index count = std::exchange(part.next[s], position);
      position += count;
    }
    of_owner.push_back(position);
  }
  return start;
}

/// Counts the entries of each slot, then stores each entry behind the earlier ones of its slot: a counting
/// sort by owner and slot.
template <class T>
DistributedEntries EntryStore<T>::distribute(comm::Rank& rank, const MatrixPart<T>& part,
                                             const EntrySlots& slots, bool keeps_positions) {
  const SparseMatrix<T>& A = *part.rows;
  LargeVector<std::int32_t> row_of(A.row.size()), slot_of(A.row.size());  // of each entry
  const auto row_position = row_position_.as<std::int32_t>(), col_position = col_position_.as<std::int32_t>();
  const std::vector<int>& owners = slots.owners();
  const auto bytes = static_cast<double>(A.nnz() * static_cast<Index>(3 * sizeof(std::int32_t) + sizeof(T)));
  const SliceRunner together = distributors(rank, bytes);
  auto columns = parts_of_columns(together, A, slots.is_symmetric());
  together.for_each(columns.size(), [&](std::size_t p) {
    DistributedColumns& mine = columns[p];
    mine.next.assign(owners.size(), 0);
    for (Index c = mine.first; c < mine.end; ++c) {
      const Index first = A.start[c], end = A.start[c + 1];
      for (Index k = first; k < end; ++k) row_of[k] = row_position[A.row[k] + part.first_row];
      slots.find({row_of.data() + first, static_cast<std::size_t>(end - first)}, col_position[c],
                 slot_of.data() + first);
      for (Index k = first; k < end; ++k)
        if (slot_of[k] >= 0) ++mine.next[slot_of[k]];
    }
  });
  auto start = positions_of_owners(owners, rank.size(), columns);
  first_.assign(1, 0);
  for (const auto& of_owner : start) first_.push_back(first_.back() + of_owner.back());

  const auto count = static_cast<std::size_t>(first_.back());
  const auto row = std::make_shared<LargeVector<std::int32_t>>(count),
             column = std::make_shared<LargeVector<std::int32_t>>(count);
  filled_ = std::make_shared<LargeVector<T>>(count);
  const std::span row_at(*row), col_at(*column);
  const std::span value_at(*filled_);
  if (keeps_positions) position_.assign(A.row.size(), -1);
  together.for_each(columns.size(), [&](std::size_t p) {
    DistributedColumns& mine = columns[p];
    part.scale(
        scaling(), mine, [&](Index k) { return slot_of[k] >= 0; },
        [&](Index k, std::int32_t j, const T& b) {
          const std::int32_t slot = slot_of[k];
          const Index position = first_[owners[slot]] + mine.next[slot]++;
          row_at[position] = row_of[k];
          col_at[position] = j;
          value_at[position] = b;
          if (keeps_positions) position_[k] = position;
        });
  });
  join_row_sizes(columns);
  DistributedEntries distributed{{}, parts_of(row, first_), parts_of(column, first_)};
  for (auto& of_owner : start) distributed.starts.push_back(comm::Body::adopt(std::move(of_owner)));
  return distributed;
}

/// The largest entry of each row over all parts.
template <class T>
void EntryStore<T>::join_row_sizes(std::vector<DistributedColumns>& columns) {
  seen_rows_ = std::move(columns.front().row_size);
  for (std::size_t p = 1; p < columns.size() && !seen_rows_.empty(); ++p)
    std::ranges::transform(seen_rows_, columns[p].row_size, seen_rows_.begin(), Larger());
}

/// Collective: sends rows and columns in B of all entries to the owners of their slots, and leaves this
/// rank's values in filled_.
template <class T>
void EntryStore<T>::find_positions(comm::Rank& rank, const EntrySlots& slots, const Analysis* analysis,
                                   const EntrySource<T>& A, bool keeps_positions) {
  const bool is_distributed = A.slab != nullptr;
  if (rank.rank() == 0) {
    row_position_ = comm::Body::adopt(inverse(analysis->row_perm));
    col_position_ = comm::Body::adopt(inverse(analysis->col_perm));
    row_scale_ = comm::Body::copy_of(std::span<const double>(analysis->row_scale));
    col_scale_ = comm::Body::copy_of(std::span<const double>(analysis->col_scale));
  }
  if (is_distributed && rank.size() > 1)
    for (comm::Body* body : {&row_position_, &col_position_, &row_scale_, &col_scale_})
      *body = comm::collective::broadcast(rank, 0, std::move(*body));

  DistributedEntries distributed;
  if (const MatrixPart<T> part(rank, A); part.rows)
    distributed = distribute(rank, part, slots, keeps_positions);
  starts_ = all_gather_parts(rank, is_distributed, std::move(distributed.starts));
  row_ = merge_by_slot<std::int32_t>(all_gather_parts(rank, is_distributed, std::move(distributed.rows)));
  col_ = merge_by_slot<std::int32_t>(all_gather_parts(rank, is_distributed, std::move(distributed.columns)));
  start_ = starts_.front();
  if (starts_.size() > 1) {
    std::vector<Index> sum(start_.as<Index>().size(), 0);
    for (const comm::Body& start : starts_)
      std::ranges::transform(sum, start.as<Index>(), sum.begin(), std::plus<>());
    start_ = comm::Body::adopt(std::move(sum));
  }
  owner_ = slots.owners();
  has_routes_ = keeps_positions;
}

/// With positions that are known: scales the values of A into filled_.
template <class T>
void EntryStore<T>::fill_values(comm::Rank& rank, const MatrixPart<T>& part, const EntrySlots& slots) {
  if (filled_.use_count() > 1) filled_ = std::make_shared<LargeVector<T>>(filled_->size());
  T* const filled = filled_->data();
  const Index* const position = position_.data();
  const auto bytes =
      static_cast<double>(part.rows->nnz() * static_cast<Index>(sizeof(Index) + 2 * sizeof(T)));
  const SliceRunner together = distributors(rank, bytes);
  auto columns = parts_of_columns(together, *part.rows, slots.is_symmetric());
  together.for_each(columns.size(), [&](std::size_t p) {
    DistributedColumns& mine = columns[p];
    part.scale(
        scaling(), mine, [&](Index k) { return position[k] >= 0; },
        [&](Index k, std::int32_t, const T& b) { filled[position[k]] = b; });
  });
  join_row_sizes(columns);
}

template <class T>
void EntryStore<T>::distribute(comm::Rank& rank, const EntrySlots& slots, const Analysis* analysis,
                               const EntrySource<T>& A, bool keeps_positions) {
  value_ = {};
  const MatrixPart<T> part(rank, A);
  if (part.rows) seen_cols_.assign(static_cast<std::size_t>(slots.order()), 0);
  if (!has_routes_ || owner_ != slots.owners())
    find_positions(rank, slots, analysis, A, keeps_positions);
  else if (part.rows)
    fill_values(rank, part, slots);
  std::vector<comm::Body> values;
  if (part.rows) values = parts_of(filled_, first_);
  if (!has_routes_) filled_ = nullptr;
  const bool is_distributed = A.slab != nullptr;
  value_ = merge_by_slot<T>(all_gather_parts(rank, is_distributed, std::move(values)));
  combine_sizes(rank, slots.is_symmetric(), is_distributed);
  if (!has_routes_) row_position_ = col_position_ = row_scale_ = col_scale_ = {};
}

/// Sets the sizes of rows and columns of B. For a symmetric B both are the column sizes, since each column
/// was seen whole.
template <class T>
void EntryStore<T>::combine_sizes(comm::Rank& rank, bool is_symmetric, bool is_distributed) {
  col_size_ = sizes_over_ranks(rank, is_distributed, std::exchange(seen_cols_, {}));
  row_size_ =
      is_symmetric ? col_size_ : sizes_over_ranks(rank, is_distributed, std::exchange(seen_rows_, {}));
}

/// Collective: the largest of all ranks, on every rank.
template <class T>
SharedList<double> EntryStore<T>::sizes_over_ranks(comm::Rank& rank, bool is_distributed,
                                                   std::vector<double> seen) const {
  if (is_distributed && rank.size() > 1)
    comm::collective::all_reduce(rank, std::span<double>(seen), Larger());
  const SharedList<double> sizes(std::move(seen));
  return is_distributed || rank.size() == 1 ? sizes : comm::collective::broadcast(rank, 0, sizes);
}

OVERLAPACK_INSTANTIATE_CLASS(EntryStore);

}  // namespace overlapack::sparse
