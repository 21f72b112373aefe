#include "iterative/jacobi/matrix_block.hpp"

#include "base/bytes_of.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "iterative/jacobi/convergence_bounds.hpp"
#include "kernels/sparse/wide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <memory>

namespace overlapack::iterative {

/// What a rank and one neighbour need from each other.
struct HaloPair {
  /// Unknowns that the rank sends to the neighbour, and receives from it
  std::span<const Index> gives, takes;
};

namespace {

constexpr double entries_a_ms = 5e5;

/// By rank, its neighbours and what they exchange.
template <class T>
std::vector<std::map<int, HaloPair>> pairs_of(const RowDistribution<T>& deal) {
  std::vector<std::map<int, HaloPair>> pairs(static_cast<std::size_t>(deal.ranks()));
  for (int r = 0; r < deal.ranks(); ++r)
    for (const auto& [other, wanted] : deal.needs_by_owner(r)) {
      pairs[static_cast<std::size_t>(r)][other].takes = wanted;
      pairs[static_cast<std::size_t>(other)][r].gives = wanted;
    }
  return pairs;
}

/// Message to rank r: sizes; start and columns of its rows of L + U; for each neighbour its rank, the number of unknowns that it
/// needs from r, the number that r needs from it, and the local indices of the former.
template <class T>
RowNumbers pattern_of(int r, const RowDistribution<T>& deal, const std::map<int, HaloPair>& neighbours) {
  const RowNumbers& mine = deal.rows_of_rank[r];
  RowNumbers numbers{static_cast<Index>(mine.size()), static_cast<Index>(deal.halo[r].size()),
                     static_cast<Index>(neighbours.size()), 0};
  Index entries = 0;
  for (const Index i : mine) entries += static_cast<Index>(deal.columns_of(i).size());
  numbers.reserve(static_cast<std::size_t>(entries) + mine.size() + numbers.size());
  for (const Index i : mine)
    numbers.push_back(numbers.back() + static_cast<Index>(deal.columns_of(i).size()));
  for (const Index i : mine)
    for (const Index j : deal.columns_of(i))
      numbers.push_back(deal.owner[j] == r ? deal.local[j] : deal.halo_position(r, j));
  for (const auto& [other, pair] : neighbours) {
    numbers.insert(numbers.end(), {other, std::ssize(pair.gives), std::ssize(pair.takes)});
    for (const Index i : pair.gives) numbers.push_back(deal.local[i]);
  }
  return numbers;
}

/// Message to rank r: the diagonal of its rows, then the values of L + U in them.
template <class T>
std::vector<T> values_of(int r, const RowDistribution<T>& deal) {
  std::vector<T> numbers;
  for (const Index i : deal.rows_of_rank[r]) numbers.push_back(deal.diagonal[i]);
  for (const Index i : deal.rows_of_rank[r])
    numbers.insert(numbers.end(), deal.value.begin() + deal.start[i], deal.value.begin() + deal.start[i + 1]);
  return numbers;
}

template <class T>
std::unique_ptr<RowDistribution<T>> distribute_for_sweeps(const SparseMatrix<T>* A,
                                                          std::span<const int> owner, int ranks) {
  if (!A) return nullptr;
  diagonal_of(*A);
  return std::make_unique<RowDistribution<T>>(*A, owner, ranks);
}

}  // namespace

template <class T>
MatrixBlock<T>::MatrixBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> owner)
    : MatrixBlock(rank, distribute_for_sweeps(A, owner, rank.size()).get()) {}

template <class T>
MatrixBlock<T>::MatrixBlock(comm::Rank& rank, const RowDistribution<T>* deal) {
  std::vector<comm::Body> patterns, values;
  if (rank.rank() == 0) {
    rows_of_rank_ = deal->rows_of_rank;
    const std::vector<std::map<int, HaloPair>> pairs = pairs_of(*deal);
    patterns.resize(pairs.size());
    values.resize(pairs.size());
    rank.run_slices({.kind = "pack", .bytes = deal->bytes()}, pairs.size(), [&](std::size_t r) {
      patterns[r] = comm::Body::adopt(pattern_of(static_cast<int>(r), *deal, pairs[r]));
      values[r] = comm::Body::adopt(values_of(static_cast<int>(r), *deal));
    });
  }
  set_pattern(comm::collective::scatter(rank, 0, std::move(patterns)).template as<Index>());
  const comm::Body body = comm::collective::scatter(rank, 0, std::move(values));
  const auto numbers = body.template as<T>();
  const std::size_t n = start_.size() - 1;
  diagonal_.assign(numbers.begin(), numbers.begin() + n);
  for (const T& d : diagonal_) inverse_.push_back(d == T(0) ? T(0) : T(1) / d);
  value_.assign(numbers.begin() + n, numbers.end());
}

/// Unpack a message of pattern_of.
template <class T>
void MatrixBlock<T>::set_pattern(std::span<const Index> numbers) {
  const auto next = [&](Index count) {
    const auto part = numbers.first(static_cast<std::size_t>(count));
    numbers = numbers.subspan(part.size());
    return part;
  };
  const auto take = [&](Index count) {
    const auto part = next(count);
    return RowNumbers(part.begin(), part.end());
  };
  const RowNumbers sizes = take(3);
  halo_ = sizes[1];
  start_ = take(sizes[0] + 1);
  const auto columns = next(start_.back());
  col_.assign(columns.begin(), columns.end());
  for (Index k = 0; k < sizes[2]; ++k) {
    const RowNumbers n = take(3);
    neighbours_.push_back(
        {static_cast<int>(n[0]), static_cast<std::size_t>(n[1]), static_cast<std::size_t>(n[2])});
    out_.push_back(take(n[1]));
  }
}

template <class T>
double MatrixBlock<T>::bytes() const {
  return bytes_of(start_, col_, value_, diagonal_, inverse_) + bytes_of_nested(rows_of_rank_) +
         bytes_of_nested(out_);
}

template <class T>
void MatrixBlock<T>::distribute_source(comm::Rank& rank, const T* b) {
  set_columns(1);
  b_ = scatter(rank, b);
}

template <class T>
void MatrixBlock<T>::distribute_sources(comm::Rank& rank, const T* b, std::span<const double> norms,
                                        Index columns) {
  set_columns(columns);
  weight_.assign(norms.begin(), norms.end());
  weight_.resize(static_cast<std::size_t>(columns));
  comm::collective::all_reduce(rank, std::span<double>(weight_), std::plus<>());  // rank 0 has them
  for (double& w : weight_) w = w > 0 ? 1 / (w * w) : 1;
  b_.resize(static_cast<std::size_t>(unknowns()));
  Index n = 0;
  for (const RowNumbers& mine : rows_of_rank_) n += std::ssize(mine);
  for (Index c = 0; c < columns; ++c) {
    const std::vector<T> column = scatter(rank, b + c * n);
    for (Index i = 0; i < rows(); ++i) b_[i * columns + c] = column[i];
  }
}

template <class T>
void MatrixBlock<T>::set_columns(Index columns) {
  for (Neighbour& n : neighbours_)
    for (std::size_t* const numbers : {&n.in, &n.out})
      *numbers = *numbers / static_cast<std::size_t>(columns_) * static_cast<std::size_t>(columns);
  columns_ = columns;
}

template <class T>
std::vector<T> MatrixBlock<T>::scatter(comm::Rank& rank, const T* x) const {
  return scatter_entries(rank, rows_of_rank_, x);
}

template <class T>
void MatrixBlock<T>::multiply(const T* x, T* y) const {
  for (Index i = 0; i < rows(); ++i) y[i] = diagonal_[i] * x[i] - rest_of_row(i, T(0), x);
}

template <class T>
void MatrixBlock<T>::multiply_adjoint(const T* x, T* y) const {
  std::fill(y, y + state_size(), T(0));
  for (Index i = 0; i < rows(); ++i) {
    y[i] += conjugate(diagonal_[i]) * x[i];
    for (Index p = start_[i]; p < start_[i + 1]; ++p) y[col_[p]] += conjugate(value_[p]) * x[i];
  }
}

template <class T>
void MatrixBlock<T>::add_packed(const T* message, std::size_t k, T* x) const {
  for (const Index i : out_[k]) x[i] += *message++;
}

template <class T>
std::vector<T> MatrixBlock<T>::gather_on_root(comm::Rank& rank, std::span<const T> x) const {
  const auto mine = x.first(static_cast<std::size_t>(unknowns()));
  const std::vector<comm::Body> parts = comm::collective::gather(rank, 0, comm::Body::copy_of(mine));
  Index n = 0;
  for (const RowNumbers& of_rank : rows_of_rank_) n += std::ssize(of_rank);
  std::vector<T> all(static_cast<std::size_t>(n * columns_));
  for (std::size_t r = 0; r < rows_of_rank_.size(); ++r) {
    const T* next = parts[r].template as<T>().data();
    for (const Index i : rows_of_rank_[r])
      for (Index c = 0; c < columns_; ++c) all[i + c * n] = *next++;
  }
  return all;
}

template <class T>
void MatrixBlock<T>::start(T* x) const {
  std::fill(x, x + state_size(), T(0));
}

template <class T>
void MatrixBlock<T>::pack(const T* x, std::size_t k, T* message) const {
  for (const Index i : out_[k]) message = std::copy_n(x + i * columns_, columns_, message);
}

/// Position of neighbour k's halo in a state.
template <class T>
std::size_t MatrixBlock<T>::first_in(std::size_t k) const {
  std::size_t first = static_cast<std::size_t>(unknowns());
  for (std::size_t before = 0; before < k; ++before) first += neighbours_[before].in;
  return first;
}

template <class T>
void MatrixBlock<T>::unpack(const T* message, std::size_t k, T* x) const {
  std::copy_n(message, neighbours_[k].in, x + first_in(k));
}

template <class T>
void MatrixBlock<T>::read_halo(const T* x, std::size_t k, T* message) const {
  std::copy_n(x + first_in(k), neighbours_[k].in, message);
}

/// b - sum of a_ij x_j over j other than i.
template <class T>
T MatrixBlock<T>::rest_of_row(Index i, T b, const T* x) const {
  T sum = b;
  for (Index p = start_[i]; p < start_[i + 1]; ++p) sum -= value_[p] * x[col_[p]];
  return sum;
}

template <class T>
double MatrixBlock<T>::sweep_ms() const {
  return static_cast<double>(value_.size()) * static_cast<double>(columns_ + 1) / (2 * entries_a_ms);
}

template <class T>
void MatrixBlock<T>::sweep(const T* x, T* next, std::size_t slice, std::size_t slices) const {
  const auto row = [&](std::size_t s) { return rows() * static_cast<Index>(s) / static_cast<Index>(slices); };
  const Index first = row(slice), last = row(slice + 1);
  switch (columns_) {
    case 1:
      return sweep_rows<1>(first, last, x, next);
    case 2:
      return sweep_rows<2>(first, last, x, next);
    case 4:
      return sweep_rows<4>(first, last, x, next);
    case 8:
      return sweep_rows<8>(first, last, x, next);
  }
  throw Error(Status::internal, "a sweep takes 1, 2, 4 or 8 columns at once");
}

/// Reads each entry of the matrix once for all columns.
template <class T>
template <Index columns>
void MatrixBlock<T>::sweep_rows(Index first, Index last, const T* x, T* next) const {
  for (Index i = first; i < last; ++i) {
    std::array<T, columns> sum;
    std::copy_n(b_.data() + i * columns, columns, sum.data());
    for (Index p = start_[i]; p < start_[i + 1]; ++p) {
      const T value = value_[p];
      const T* const of_unknown = x + col_[p] * columns;
      for (Index c = 0; c < columns; ++c) sum[c] -= value * of_unknown[c];
    }
    for (Index c = 0; c < columns; ++c) next[i * columns + c] = sum[c] * inverse_[i];
  }
}

template <class T>
kernels::Cost MatrixBlock<T>::sweep_cost() const {
  const double n = static_cast<double>(unknowns()), k = static_cast<double>(columns_),
               entries = static_cast<double>(value_.size()) * k;
  return {(entries + n) * kernels::multiply_add_flops<T>,
          entries / k * (sizeof(T) + sizeof(std::int32_t)) + n * 4 * sizeof(T) + n / k * sizeof(Index)};
}

/// Sums in a longer format: in the format of a sweep, the residual would be zero once sweeps no longer change x, whatever the
/// rounding error of x.
template <class T>
double MatrixBlock<T>::residual(const T* x) const {
  double sum = 0;
  for (Index i = 0; i < rows(); ++i)
    for (Index c = 0; c < columns_; ++c) {
      const T b = b_[i * columns_ + c];
      kernels::Wide<T> re = std::real(b), im = std::imag(b);
      for (Index p = start_[i]; p < start_[i + 1]; ++p)
        kernels::subtract_product(value_[p], x[col_[p] * columns_ + c], re, &im);
      kernels::subtract_product(diagonal_[i], x[i * columns_ + c], re, &im);
      const double square = static_cast<double>(re * re + im * im);
      sum += columns_ == 1 ? square : square * weight_[c];
    }
  return sum;
}

template <class T>
double MatrixBlock<T>::source() const {
  if (columns_ > 1) return rows_of_rank_.empty() ? 0 : 1;  // 1 over all ranks: rank 0 has rows_of_rank_
  double sum = 0;
  for (const T& b : b_) sum += std::norm(std::complex<double>(b));
  return sum;
}

OVERLAPACK_INSTANTIATE_CLASS(MatrixBlock);

}  // namespace overlapack::iterative
