#include "kernels/sparse/sparse_residual.hpp"

#include "base/instantiate.hpp"
#include "base/large_memory.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/sparse/wide.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace overlapack::kernels {
namespace {

/// Accumulators of one row of a residual: each of its real parts, and magnitudes. Stored together, since columns scatter.
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

/// Row i is column i, conjugated where A is Hermitian.
template <class T>
bool is_by_rows(const SparseMatrix<T>& A) {
  return A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian;
}

/// |x| of complex numbers, which need a square root; empty for real ones, whose |x| is cheaper to compute than to load.
template <class T>
UnsetVector<Real<T>> sizes_of(std::span<const T> x) {
  UnsetVector<Real<T>> sizes;
  if constexpr (ScalarTraits<T>::is_complex) {
    sizes.resize(x.size());
    std::ranges::transform(x, sizes.begin(), [](const T& number) { return std::abs(number); });
  }
  return sizes;
}

/// Rows first .. end - 1, one sum at a time, in the order of the columns.  size: sizes_of(of.x)
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

/// Columns scatter into the sums of all rows.
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

constexpr Index least_slice = 16384;  ///< products

/// One right-hand side, or up to residual_lanes of them interleaved, as the kernels need them. A slice computes some rows of r: the
/// bits do not depend on the number of slices.
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
    const Index count = slices.slices(A_.nnz() * lanes_, least_slice);
    const std::vector<Index> columns = bounds_by_entries(A_.start, count);
    std::vector<Index> rows = columns;
    if (!by_rows_)
      for (Index s = 0; s <= count; ++s) rows[s] = A_.rows * s / count;
    if (lanes_ > 1) {
      make_room(A_.cols, x_, size_);
      slices.for_each(columns.size() - 1, [&](std::size_t s) {
        position(&ResidualColumn<T>::x, columns[s], columns[s + 1], x_, size_);
      });
    } else {
      size_ = sizes_of<T>(columns_[0].x);
    }
    make_room(A_.rows, sum_, weight_);
    low_.resize(sum_.size());
    std::vector<char> in_range(rows.size() - 1);
    slices.for_each(in_range.size(), [&](std::size_t s) {
      sum(rows[s], rows[s + 1]);
      in_range[s] = finish(rows[s], rows[s + 1]);
    });
    return std::ranges::find(in_range, 0) == in_range.end();
  }

 private:
  using R = Real<T>;
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  static constexpr R eps = std::numeric_limits<R>::epsilon();
  /// The rounding error of a product is representable only if the product is above the smallest number / eps^2.
  static constexpr R least = std::numeric_limits<R>::min() / (eps * eps),
                     most = std::numeric_limits<R>::max() / 4;

  template <class V>
  void make_room(Index length, UnsetVector<V>& values, UnsetVector<R>& sizes) {
    values.resize(static_cast<std::size_t>(length * parts * lanes_));
    sizes.resize(static_cast<std::size_t>(length * lanes_));
  }

  /// f(c, first, end) for each right-hand side, some rows at a time: vectors of one right-hand side after the other are a multiple of
  /// pages apart in many problems, and would throw each other out of the cache.
  template <class F>
  void by_ranges(Index first, Index end, F&& f) const {
    constexpr Index range = 64;
    for (Index i = first; i < end; i += range)
      for (Index c = 0; c < lanes_; ++c) f(c, i, std::min(i + range, end));
  }

  /// Interleave entries first .. end - 1 of b or x of all right-hand sides. The lanes that have none repeat the first one's.
  template <class V>
  void position(std::span<const T> ResidualColumn<T>::*of, Index first, Index end, UnsetVector<V>& values,
                UnsetVector<R>& sizes) {
    by_ranges(first, end, [&, lanes = lanes_](Index c, Index from, Index to) {
      const T* const column = (columns_[c < static_cast<Index>(columns_.size()) ? c : 0].*of).data();
      for (Index i = from; i < to; ++i) {
        values[i * parts * lanes + c] = std::real(column[i]);
        if constexpr (parts == 2) values[(i * parts + 1) * lanes + c] = std::imag(column[i]);
        sizes[i * lanes + c] = std::abs(column[i]);
      }
    });
  }

  /// Rows first .. end - 1.
  void sum(Index first, Index end) {
    position(&ResidualColumn<T>::b, first, end, sum_, weight_);
    std::fill(low_.begin() + first * parts * lanes_, low_.begin() + end * parts * lanes_, 0.0);
    small::SparseColumns<R> A{.begin = 0,
                              .end = A_.cols,
                              .first_row = first,
                              .end_row = end,
                              .start = A_.start.data(),
                              .row = A_.row.data(),
                              .value = reinterpret_cast<const R*>(A_.value.data())};
    if (by_rows_) A.begin = first, A.end = end;
    const R* const x = lanes_ > 1 ? x_.data() : reinterpret_cast<const R*>(columns_[0].x.data());
    const R* const size = parts == 1 ? x : size_.data();
    const small::ResidualKernels<R> kernels = small::residual_kernels<T>();
    (lanes_ > 1 ? kernels.many : kernels.one)(A, by_rows_, A_.symmetry == Symmetry::hermitian, x, size,
                                              sum_.data(), low_.data(), weight_.data());
  }

  bool finish(Index first, Index end) {
    bool is_outside = false;  // also where it is no number
    by_ranges(first, end, [&, lanes = lanes_](Index c, Index from, Index to) {
      if (c >= static_cast<Index>(columns_.size())) return;
      R* const weight = columns_[c].weight.data();
      R* const r = reinterpret_cast<R*>(columns_[c].r.data());
      for (Index i = from; i < to; ++i) {
        const R its = weight[i] = weight_[i * lanes + c];
        is_outside |= !((its == 0) | ((its > least) & (its < most)));
        for (Index k = i * parts; k < (i + 1) * parts; ++k)
          r[k] = static_cast<R>(sum_[k * lanes + c] + low_[k * lanes + c]);
      }
    });
    return !is_outside;
  }

  const SparseMatrix<T>& A_;
  const std::span<const ResidualColumn<T>> columns_;
  const Index lanes_;
  const bool by_rows_;
  UnsetVector<R> x_, size_;  ///< interleaved; x_ is empty for one right-hand side
  UnsetVector<double> sum_, low_;
  UnsetVector<R> weight_;
};

constexpr std::size_t least_group = 3;  ///< fewer right-hand sides go one by one: half-empty lanes do not pay

/// One right-hand side by rows of A, where sums in the long format are faster than in two numbers.
template <class T>
void sum_rows(const SparseMatrix<T>& A, const ResidualColumn<T>& column, const SliceRunner& slices) {
  const std::vector<Index> bounds = bounds_by_entries(A.start, slices.slices(A.nnz(), least_slice));
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
    const std::size_t together =
        columns.size() < least_group ? 1 : std::min<std::size_t>(columns.size(), small::residual_lanes);
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
