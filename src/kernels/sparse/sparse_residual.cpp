#include "kernels/sparse/sparse_residual.hpp"

#include "base/instantiate.hpp"
#include "base/large_memory.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/sparse/wide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace overlapack::kernels {
namespace {

/// Accumulators of one row of a residual: its real (and imaginary) part, and the sum of magnitudes. They are stored together,
/// since a column of A scatters into many rows.
template <class T>
struct RowSum {
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  Wide<T> r[parts];
  Real<T> weight;

  explicit RowSum(const T& b) : weight(std::abs(b)) {
    const auto* b_part = reinterpret_cast<const Real<T>*>(&b);
    std::copy_n(b_part, parts, r);
  }
  /// size = |x|
  void subtract(const T& a, const T& x, Real<T> size) {
    subtract_product(a, x, r[0], r + parts - 1);
    weight += std::abs(a) * size;
  }
  T residual() const {
    if constexpr (parts == 2)
      return {static_cast<Real<T>>(r[0]), static_cast<Real<T>>(r[1])};
    else
      return static_cast<T>(r[0]);
  }
};

/// The numbers as an array of reals; for complex numbers real and imaginary parts alternate.
template <class T>
const Real<T>* real_parts(const T* numbers) {
  return reinterpret_cast<const Real<T>*>(numbers);
}
template <class T>
Real<T>* real_parts(T* numbers) {
  return reinterpret_cast<Real<T>*>(numbers);
}

/// Whether A can be used by rows: row i is then column i, conjugated if A is Hermitian.
template <class T>
bool is_by_rows(const SparseMatrix<T>& A) {
  return A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian;
}

/// |x| of complex numbers, each of which needs a square root. Empty for real numbers, whose |x| is cheaper to compute than to load.
template <class T>
UnsetVector<Real<T>> sizes_of(std::span<const T> x) {
  UnsetVector<Real<T>> sizes;
  if constexpr (ScalarTraits<T>::is_complex) {
    sizes.resize(x.size());
    std::ranges::transform(x, sizes.begin(), [](const T& number) { return std::abs(number); });
  }
  return sizes;
}

/// The residual of rows first .. end - 1, one row after the other. size: sizes_of(of.x)
template <class T>
void residual_by_rows(const SparseMatrix<T>& A, const ResidualColumn<T>& of, std::span<const Real<T>> size,
                      Index first, Index end) {
  const bool is_conjugated = A.symmetry == Symmetry::hermitian;
  for (Index i = first; i < end; ++i) {
    RowSum<T> sum(of.b[i]);
    for (Index p = A.start[i]; p < A.start[i + 1]; ++p) {
      const T& x = of.x[A.row[p]];
      sum.subtract(is_conjugated ? conjugate(A.value[p]) : A.value[p], x,
                   ScalarTraits<T>::is_complex ? size[A.row[p]] : std::abs(x));
    }
    of.r[i] = sum.residual();
    of.weight[i] = sum.weight;
  }
}

/// The residual column by column: each column scatters into the sums of all rows.
template <class T>
void residual_by_columns(const SparseMatrix<T>& A, const ResidualColumn<T>& of) {
  std::vector<RowSum<T>> sums(of.b.begin(), of.b.end());
  for (Index j = 0; j < A.cols; ++j) {
    const T xj = of.x[j];
    const Real<T> size = std::abs(xj);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) sums[A.row[p]].subtract(A.value[p], xj, size);
  }
  std::ranges::transform(sums, of.r.begin(), &RowSum<T>::residual);
  std::ranges::transform(sums, of.weight.begin(), &RowSum<T>::weight);
}

/// Residuals of one right-hand side, or of up to residual_lanes of them interleaved, by the vector kernels. A slice computes some
/// rows of r, so that the bits do not depend on the number of slices. If A is used by rows, a slice treats a few rows at a time,
/// which stay in the first-level cache from the load of b to the store of r.
template <class T>
class ResidualGroup {
 public:
  ResidualGroup(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns)
      : A_(A),
        columns_(columns),
        lanes_(columns.size() == 1 ? 1 : small::residual_lanes),
        by_rows_(is_by_rows(A)) {}

  /// Returns whether all numbers were in the range where rounding errors of products are exact; if not, r and weight are invalid.
  bool run(const SliceRunner& slices) {
    const Index count = slices.slices(A_.nnz() * lanes_, sizes::least_residual_slice);
    const std::vector<Index> columns = bounds_by_entries(A_.start, count);
    std::vector<Index> rows = columns;
    if (!by_rows_)
      for (Index s = 0; s <= count; ++s) rows[s] = A_.rows * s / count;
    if (lanes_ == 1) {
      size_ = sizes_of<T>(columns_[0].x);
    } else {
      x_.resize(numbers(A_.cols * parts));
      if (parts > 1) size_.resize(numbers(A_.cols));
      slices.for_each(columns.size() - 1, [&](std::size_t s) { interleave_x(columns[s], columns[s + 1]); });
    }
    std::vector<char> in_range(rows.size() - 1, 1);
    slices.for_each(in_range.size(), [&](std::size_t s) {
      const Index length = rows[s + 1] - rows[s],
                  most = by_rows_ ? std::min(sizes::residual_rows, length) : length;
      Rows some(*this, most);
      for (Index first = rows[s], end; first < rows[s + 1]; first = end) {
        end = std::min(first + most, rows[s + 1]);
        if (!subtract(some, first, end)) in_range[s] = 0;
      }
    });
    return std::ranges::find(in_range, 0) == in_range.end();
  }

 private:
  using R = Real<T>;
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;

  /// Work space for some rows: interleaved r and weight, and their sums.
  struct Rows {
    Rows(const ResidualGroup& group, Index count) {
      const std::size_t numbers = group.numbers(count * parts);
      if (group.lanes_ > 1) r.resize(numbers), weight.resize(group.numbers(count));
      if (!group.by_rows_) sum.resize(numbers), low.resize(numbers);
    }
    UnsetVector<R> r, weight;
    UnsetVector<double> sum, low;
  };

  /// Length of an array that has `of_each` numbers of each lane.
  std::size_t numbers(Index of_each) const { return static_cast<std::size_t>(of_each * lanes_); }

  /// For each lane, the address of number i of the vector that at() selects. Lanes without a right-hand side repeat the first
  /// one's.
  template <class V>
  std::array<V*, small::residual_lanes> lanes_of(Index i, V* (*at)(const ResidualColumn<T>&)) const {
    std::array<V*, small::residual_lanes> all;
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = at(columns_[c < columns_.size() ? c : 0]) + i;
    return all;
  }

  void interleave_x(Index first, Index end) {
    constexpr auto x_of = [](const ResidualColumn<T>& column) { return real_parts(column.x.data()); };
    small::residual_kernels<T>().interleave(parts * (end - first),
                                            lanes_of<const R>(parts * first, x_of).data(),
                                            x_.data() + parts * first * lanes_);
    if constexpr (parts > 1)
      for (Index k = first * lanes_; k < end * lanes_; ++k) {
        const R* const x = x_.data() + k / lanes_ * parts * lanes_ + k % lanes_;
        size_[k] = std::abs(T(x[0], x[lanes_]));
      }
  }

  /// Compute r and weight of the rows first .. end - 1; returns whether all numbers were in range, as run does.
  bool subtract(Rows& some, Index first, Index end) const {
    const small::ResidualKernels<R> kernels = small::residual_kernels<T>();
    small::SparseColumns<R> A{.begin = 0,
                              .end = A_.cols,
                              .first_row = first,
                              .end_row = end,
                              .start = A_.start.data(),
                              .row = A_.row.data(),
                              .value = real_parts(A_.value.data())};
    if (by_rows_) A.begin = first, A.end = end;
    const auto run = [&](small::ResidualKernel<R> kernel, const R* x, R* r, R* weight) {
      return kernel(A, by_rows_, A_.symmetry == Symmetry::hermitian, x, parts == 1 ? x : size_.data(), r,
                    weight, some.sum.data(), some.low.data());
    };
    const auto b = lanes_of<const R>(
        parts * first, [](const ResidualColumn<T>& column) { return real_parts(column.b.data()); });
    const auto r = lanes_of<R>(parts * first,
                               [](const ResidualColumn<T>& column) { return real_parts(column.r.data()); });
    const auto weight =
        lanes_of<R>(first, [](const ResidualColumn<T>& column) { return column.weight.data(); });
    const Index count = end - first;
    if (lanes_ == 1) {
      std::copy_n(b[0], parts * count, r[0]);
      return run(kernels.one, real_parts(columns_[0].x.data()), r[0], weight[0]);
    }
    kernels.interleave(parts * count, b.data(), some.r.data());
    const bool in_range = run(kernels.many, x_.data(), some.r.data(), some.weight.data());
    kernels.separate(parts * count, some.r.data(), r.data());
    kernels.separate(count, some.weight.data(), weight.data());
    return in_range;
  }

  const SparseMatrix<T>& A_;
  const std::span<const ResidualColumn<T>> columns_;
  const Index lanes_;
  const bool by_rows_;
  UnsetVector<R> x_, size_;  ///< interleaved; x_ is empty for one right-hand side, size_ for real ones
};

/// The residual of one right-hand side by rows of A; there, sums in long double are faster than sums in two doubles.
template <class T>
void sum_rows(const SparseMatrix<T>& A, const ResidualColumn<T>& column, const SliceRunner& slices) {
  const std::vector<Index> bounds =
      bounds_by_entries(A.start, slices.slices(A.nnz(), sizes::least_residual_slice));
  const UnsetVector<Real<T>> sizes = sizes_of<T>(column.x);
  slices.for_each(bounds.size() - 1, [&](std::size_t s) {
    residual_by_rows(A, column, std::span<const Real<T>>(sizes), bounds[s], bounds[s + 1]);
  });
}

}  // namespace

template <class T>
void residuals(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns,
               const SliceRunner& slices, ResidualSum sum) {
  const bool has_kernel = small::residual_kernels<T>().one != nullptr, by_rows = is_by_rows(A);
  while (!columns.empty()) {
    const std::size_t together = columns.size() < sizes::least_residual_group
                                     ? 1
                                     : std::min<std::size_t>(columns.size(), small::residual_lanes);
    const auto group = columns.first(together);
    columns = columns.subspan(together);
    const bool in_two_numbers = has_kernel && (together > 1 || !by_rows || sum == ResidualSum::longest);
    if (in_two_numbers && ResidualGroup<T>(A, group).run(slices)) continue;
    for (const ResidualColumn<T>& column : group)
      if (by_rows)
        sum_rows(A, column, slices);
      else
        residual_by_columns(A, column);
  }
}

template <class T>
double rounding_of_longest_residual() {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  if (std::is_same_v<Real<T>, float>) return eps;
  if (small::residual_kernels<T>().one != nullptr) return eps * eps;
  return static_cast<double>(std::numeric_limits<long double>::epsilon());
}

template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight) {
  const ResidualColumn<T> one{b, x, r, weight};
  residuals<T>(A, std::span(&one, 1));
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void residual<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>, std::span<T>,    \
                            std::span<Real<T>>);                                                             \
  template void residuals<T>(const SparseMatrix<T>&, std::span<const ResidualColumn<T>>, const SliceRunner&, \
                             ResidualSum);                                                                   \
  template double rounding_of_longest_residual<T>();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
