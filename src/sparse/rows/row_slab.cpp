#include "sparse/rows/row_slab.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/tasks.hpp"
#include "kernels/product/operand.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <utility>

namespace overlapack::sparse {

namespace {

/// The owner of row i.
int owner_of(const std::vector<Index>& bounds, Index i) {
  return static_cast<int>(std::ranges::upper_bound(bounds, i) - bounds.begin()) - 1;
}

/// Collective: sends list r to rank r. Returns the lists that were received, by sender.
template <class V>
std::vector<comm::Body> exchanged(comm::Rank& rank, std::vector<std::vector<V>> lists) {
  std::vector<comm::Body> bodies;
  for (auto& list : lists) bodies.push_back(comm::Body::adopt(std::move(list)));
  return comm::collective::all_to_all(rank, std::move(bodies));
}

template <class V>
void append(std::vector<V>& to, const comm::Body& from) {
  const std::span<const V> values = from.as<V>();
  to.insert(to.end(), values.begin(), values.end());
}

template <class T>
void require_finite_sums(const RowSlab<T>& A) {
  for (Index j = 0; j < A.rows.cols; ++j)
    for (Index k = A.rows.start[j]; k < A.rows.start[j + 1]; ++k)
      if (!is_finite(A.rows.value[k]))
        throw Error(
            Status::bad_input,
            "the entries at row " + std::to_string(A.rows.row[k] + A.first_row) + ", column " +
                std::to_string(j) +
                " (counted from 0) add up to more than the type holds; scale them, or use double precision");
}

/// visit(i, j, value) for all entries of a slab, with their rows and columns in the whole matrix.
template <class T, class Visit>
void for_each_entry(const RowSlab<T>& A, Visit&& visit) {
  for (Index j = 0; j < A.rows.cols; ++j)
    for (Index k = A.rows.start[j]; k < A.rows.start[j + 1]; ++k)
      visit(A.rows.row[k] + A.first_row, j, A.rows.value[k]);
}

}  // namespace

template <class T>
void require_entries(const Triplets<T>& mine, int rank) {
  const auto refuse = [&](const std::string& message) {
    throw Error(Status::bad_input, "rank " + std::to_string(rank) + " " + message);
  };
  if (mine.row.size() != mine.col.size() || mine.row.size() != mine.value.size())
    refuse("gives " + std::to_string(mine.row.size()) + " rows, " + std::to_string(mine.col.size()) +
           " columns and " + std::to_string(mine.value.size()) + " values; give one of each an entry");
  for (std::size_t k = 0; k < mine.row.size(); ++k) {
    const Index i = mine.row[k], j = mine.col[k];
    const auto entry = [&] {
      return "gives entry " + std::to_string(k) + " at (" + std::to_string(i) + ", " + std::to_string(j) +
             "), ";
    };
    if (i < 0 || i >= mine.rows || j < 0 || j >= mine.cols)
      refuse(entry() + "outside a matrix of " + std::to_string(mine.rows) + " x " +
             std::to_string(mine.cols) + "; indices are those of the whole matrix and count from 0");
    if (!is_finite(mine.value[k]))
      refuse(entry() + "which is not a finite number; replace it before solving");
  }
}

template <class T>
std::vector<Index> balanced_bounds(comm::Rank& rank, const Triplets<T>& mine) {
  std::vector<Index> count(static_cast<std::size_t>(mine.rows), 0);
  for (const Index i : mine.row) ++count[static_cast<std::size_t>(i)];
  comm::collective::all_reduce(rank, std::span<Index>(count), std::plus<>());
  double all = 0, before = 0;
  for (const Index entries : count) all += static_cast<double>(entries);
  std::vector<Index> bounds{0};
  for (Index i = 0; i < mine.rows; ++i) {
    before += static_cast<double>(count[static_cast<std::size_t>(i)]);
    while (static_cast<int>(bounds.size()) < rank.size() &&
           before * rank.size() >= all * static_cast<double>(bounds.size()))
      bounds.push_back(i + 1);
  }
  bounds.resize(static_cast<std::size_t>(rank.size()) + 1, mine.rows);
  bounds.back() = mine.rows;
  return bounds;
}

template <class T>
RowSlab<T> distribute_rows(comm::Rank& rank, const Triplets<T>& mine, std::vector<Index> bounds) {
  const auto p = static_cast<std::size_t>(rank.size());
  std::vector<std::vector<Index>> row(p), col(p);
  std::vector<std::vector<T>> value(p);
  for (std::size_t k = 0; k < mine.row.size(); ++k) {
    const auto to = static_cast<std::size_t>(owner_of(bounds, mine.row[k]));
    row[to].push_back(mine.row[k]);
    col[to].push_back(mine.col[k]);
    value[to].push_back(mine.value[k]);
  }
  const std::vector<comm::Body> rows = exchanged(rank, std::move(row)),
                                cols = exchanged(rank, std::move(col)),
                                values = exchanged(rank, std::move(value));
  RowSlab<T> slab;
  const auto me = static_cast<std::size_t>(rank.rank());
  slab.first_row = bounds[me];
  Triplets<T> entries{bounds[me + 1] - bounds[me], mine.cols, {}, {}, {}};
  for (std::size_t r = 0; r < p; ++r) {
    append(entries.row, rows[r]);
    append(entries.col, cols[r]);
    append(entries.value, values[r]);
  }
  for (Index& i : entries.row) i -= slab.first_row;
  slab.rows = compress(entries).matrix;
  slab.bounds = std::move(bounds);
  require_finite_sums(slab);
  return slab;
}

template <class T>
RowSlab<T> transposed(comm::Rank& rank, const RowSlab<T>& A, bool conjugated) {
  Triplets<T> entries{A.rows.cols, A.rows.cols, {}, {}, {}};
  entries.reserve(A.rows.nnz());
  for_each_entry(
      A, [&](Index i, Index j, const T& value) { entries.add(j, i, conjugated ? conjugate(value) : value); });
  return distribute_rows(rank, entries, A.bounds);
}

template <class T>
Symmetry detect_symmetry(comm::Rank& rank, const RowSlab<T>& A, RealValued as) {
  const Relations mine = relations(A.rows, transposed(rank, A, false).rows);
  const bool is_zero = std::ranges::all_of(A.rows.value, [](const T& value) { return value == T(0); });
  std::vector<std::int64_t> holds{mine.symmetric, mine.skew, mine.hermitian, is_zero};
  comm::collective::all_reduce(rank, std::span<std::int64_t>(holds),
                               [](auto a, auto b) { return std::min(a, b); });
  return strongest<T>({holds[0] != 0, holds[1] != 0, holds[2] != 0}, holds[3] != 0, as);
}

template <class T>
ColumnSizes column_sizes(comm::Rank& rank, const RowSlab<T>& A) {
  comm::Tasks tasks(1);
  ColumnSizes sizes = column_sizes(A.rows, tasks, A.first_row);
  for (std::vector<double>* values : {&sizes.diagonal, &sizes.largest})
    comm::collective::all_reduce(rank, std::span<double>(*values), Larger());
  return sizes;
}

template <class T>
SparseMatrix<Real<T>> gather_pattern(comm::Rank& rank, const RowSlab<T>& A, const ColumnSizes& sizes,
                                     bool with_moduli) {
  using comm::Body;
  std::vector<std::int32_t> row;
  std::vector<Real<T>> modulus;
  for_each_entry(A, [&](Index i, Index, const T& value) {
    row.push_back(static_cast<std::int32_t>(i));
    if (with_moduli) modulus.push_back(std::abs(value));
  });
  const std::vector<Body> starts = comm::collective::gather(
                              rank, 0, Body::copy_of(std::span<const Index>(A.rows.start))),
                          rows = comm::collective::gather(rank, 0, Body::adopt(std::move(row))),
                          moduli = comm::collective::gather(rank, 0, Body::adopt(std::move(modulus)));
  SparseMatrix<Real<T>> all;
  all.rows = all.cols = A.rows.cols;
  if (rank.rank() != 0) return all;
  for (Index j = 0; j < all.cols; ++j) {
    for (std::size_t r = 0; r < rows.size(); ++r) {  // rows ascend with the ranks
      const auto start = starts[r].as<Index>();
      for (Index k = start[static_cast<std::size_t>(j)]; k < start[static_cast<std::size_t>(j) + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const Index i = rows[r].as<std::int32_t>()[at];
        all.row.push_back(i);
        const bool is_hole = i == j && sizes.diagonal[static_cast<std::size_t>(j)] == 0;
        all.value.push_back(with_moduli ? moduli[r].template as<Real<T>>()[at] : Real<T>(is_hole ? 0 : 1));
      }
    }
    all.start.push_back(all.nnz());
  }
  return all;
}

#define OVERLAPACK_INSTANTIATE(T)                                                           \
  template void require_entries(const Triplets<T>&, int);                                   \
  template std::vector<Index> balanced_bounds(comm::Rank&, const Triplets<T>&);             \
  template RowSlab<T> distribute_rows(comm::Rank&, const Triplets<T>&, std::vector<Index>); \
  template RowSlab<T> transposed(comm::Rank&, const RowSlab<T>&, bool);                     \
  template Symmetry detect_symmetry(comm::Rank&, const RowSlab<T>&, RealValued);            \
  template ColumnSizes column_sizes(comm::Rank&, const RowSlab<T>&);                        \
  template SparseMatrix<Real<T>> gather_pattern(comm::Rank&, const RowSlab<T>&, const ColumnSizes&, bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
