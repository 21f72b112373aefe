#include "kernels/sparse_residual.hpp"

#include "base/instantiate.hpp"
#include "base/large_memory.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/wide.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace overlapack::kernels {
namespace {

/// What is summed for one row of a residual: in each of its real parts, and of magnitudes. Side by side, since columns scatter.
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

/// |x| of complex numbers, each of which takes a root; of real ones nothing, since a sign is cheaper to drop than to look up.
template <class T>
LargeVector<Real<T>> sizes_of(std::span<const T> x) {
  LargeVector<Real<T>> sizes;
  if constexpr (ScalarTraits<T>::is_complex) {
    sizes.resize(x.size());
    std::ranges::transform(x, sizes.begin(), [](const T& number) { return std::abs(number); });
  }
  return sizes;
}

/// Rows first .. end - 1, one sum at a time, in the order of the columns as ever.  size: sizes_of(of.x)
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

/// Bounds of columns with about as many entries each.
template <class T>
std::vector<Index> slice_bounds(const SparseMatrix<T>& A, Index slices) {
  std::vector<Index> bounds;
  for (Index s = 0; s < slices; ++s)
    bounds.push_back(std::ranges::lower_bound(A.start, A.nnz() * s / slices) - A.start.begin());
  bounds.push_back(A.cols);
  return bounds;
}

constexpr Index least_slice = 16384;  ///< products: some 30 us

Index slice_count(Index products, int threads) {
  return std::clamp<Index>(products / least_slice, 1, threads);
}

void run_slices(const SliceRunner& slices, std::size_t count, const std::function<void(std::size_t)>& slice) {
  if (count == 1)
    slice(0);
  else
    slices.run(count, slice);
}

/// One right-hand side, or up to residual_lanes of them side by side, as their kernel wants them.
template <class T>
class ResidualGroup {
 public:
  ResidualGroup(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns, int threads)
      : A_(A),
        columns_(columns),
        lanes_(columns.size() == 1 ? 1 : small::residual_lanes),
        by_rows_(is_by_rows(A)),
        bounds_(slice_bounds(A, slice_count(A.nnz() * lanes_, threads))) {
    if (lanes_ > 1)
      place(&ResidualColumn<T>::x, A.cols, x_, size_);
    else
      size_ = sizes_of<T>(columns[0].x);
    sums_.resize(by_rows_ ? 1 : slices());
    place(&ResidualColumn<T>::b, A.rows, sums_[0].sum, sums_[0].weight);
    sums_[0].low.assign(sums_[0].sum.size(), 0.0);
  }

  std::size_t slices() const { return bounds_.size() - 1; }

  void run(std::size_t slice) {
    Sums& to = sums_[by_rows_ ? 0 : slice];
    if (slice > 0 && !by_rows_) to.clear(sums_[0]);
    const small::SparseColumns<R> part{bounds_[slice], bounds_[slice + 1], A_.start.data(), A_.row.data(),
                                       reinterpret_cast<const R*>(A_.value.data())};
    const R* const x = lanes_ > 1 ? x_.data() : reinterpret_cast<const R*>(columns_[0].x.data());
    const small::ResidualKernels<R> kernels = small::residual_kernels<T>();
    (lanes_ > 1 ? kernels.many : kernels.one)(part, by_rows_, A_.symmetry == Symmetry::hermitian, x,
                                              parts == 2 ? size_.data() : x, to.sum.data(), to.low.data(),
                                              to.weight.data());
  }

  /// Whether the numbers stayed where products and their rounding are exact; if not, r and weight mean nothing.
  bool finish() {
    for (std::size_t s = 1; s < sums_.size(); ++s) sums_[0].add(sums_[s]);
    const Sums& all = sums_[0];
    bool in_range = true;
    for (Index i = 0; i < A_.rows; ++i)
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const auto part = [&](Index k) {
          const std::size_t at = (i * parts + k) * lanes_ + c;
          return static_cast<R>(all.sum[at] + all.low[at]);
        };
        const R weight = columns_[c].weight[i] = all.weight[i * lanes_ + c];
        in_range = in_range && (weight == 0 || (weight > least && weight < most));
        if constexpr (parts == 2)
          columns_[c].r[i] = {part(0), part(1)};
        else
          columns_[c].r[i] = part(0);
      }
    return in_range;
  }

 private:
  using R = Real<T>;
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  static constexpr R eps = std::numeric_limits<R>::epsilon();
  /// The rounding of a product is a number only if the product is above the least one over eps^2.
  static constexpr R least = std::numeric_limits<R>::min() / (eps * eps),
                     most = std::numeric_limits<R>::max() / 4;

  /// Of the columns of one slice; by rows, of all.
  struct Sums {
    LargeVector<double> sum, low;
    LargeVector<R> weight;

    void clear(const Sums& like) {
      sum.assign(like.sum.size(), 0.0);
      low.assign(like.low.size(), 0.0);
      weight.assign(like.weight.size(), R(0));
    }
    void add(const Sums& other) {
      for (std::size_t k = 0; k < sum.size(); ++k) {
        const double total = sum[k] + other.sum[k], added = total - sum[k];
        low[k] += other.low[k] + ((sum[k] - (total - added)) + (other.sum[k] - added));
        sum[k] = total;
      }
      for (std::size_t k = 0; k < weight.size(); ++k) weight[k] += other.weight[k];
    }
  };

  template <class V>
  void place(std::span<const T> ResidualColumn<T>::*of, Index rows, LargeVector<V>& values,
             LargeVector<R>& sizes) {
    const T* from[small::residual_lanes] = {};
    for (std::size_t c = 0; c < columns_.size(); ++c) from[c] = (columns_[c].*of).data();
    const auto count = static_cast<Index>(columns_.size());
    values.resize(static_cast<std::size_t>(rows * parts * lanes_));
    sizes.resize(static_cast<std::size_t>(rows * lanes_));
    for (Index i = 0; i < rows; ++i)
      for (Index c = 0; c < lanes_; ++c) {
        const T number = c < count ? from[c][i] : T(0);
        values[i * parts * lanes_ + c] = std::real(number);
        if constexpr (parts == 2) values[(i * parts + 1) * lanes_ + c] = std::imag(number);
        sizes[i * lanes_ + c] = std::abs(number);
      }
  }

  const SparseMatrix<T>& A_;
  const std::span<const ResidualColumn<T>> columns_;
  const Index lanes_;
  const bool by_rows_;
  std::vector<Index> bounds_;  ///< of the slices
  LargeVector<R> x_, size_;
  std::vector<Sums> sums_;
};

constexpr std::size_t least_group = 3;  ///< fewer right-hand sides go one by one: half-empty lanes do not pay

/// Whether its sums are right, as ResidualGroup::finish tells.
template <class T>
bool sum_group(ResidualGroup<T> group, const SliceRunner& slices) {
  run_slices(slices, group.slices(), [&](std::size_t slice) { group.run(slice); });
  return group.finish();
}

/// One right-hand side and rows of A, where the long format is faster than two numbers.
template <class T>
void sum_rows(const SparseMatrix<T>& A, const ResidualColumn<T>& column, const SliceRunner& slices) {
  const std::vector<Index> bounds = slice_bounds(A, slice_count(A.nnz(), slices.threads));
  const LargeVector<Real<T>> sizes = sizes_of<T>(column.x);
  run_slices(slices, bounds.size() - 1, [&](std::size_t s) {
    residual_by_rows(A, column, std::span<const Real<T>>(sizes), bounds[s], bounds[s + 1]);
  });
}

}  // namespace

template <class T>
void residuals(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns,
               const SliceRunner& slices) {
  const bool has_kernel = small::residual_kernels<T>().one != nullptr, by_rows = is_by_rows(A);
  while (!columns.empty()) {
    const std::size_t together =
        columns.size() < least_group ? 1 : std::min<std::size_t>(columns.size(), small::residual_lanes);
    const auto group = columns.first(together);
    columns = columns.subspan(together);
    const bool in_two_numbers = has_kernel && (together > 1 || !by_rows);
    if (in_two_numbers && sum_group(ResidualGroup<T>(A, group, slices.threads), slices)) continue;
    for (const ResidualColumn<T>& column : group)
      if (by_rows)
        sum_rows(A, column, slices);
      else
        residual_by_columns(A, column);
  }
}

template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight) {
  const ResidualColumn<T> one{b, x, r, weight};
  residuals<T>(A, std::span(&one, 1));
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template void residual<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>, std::span<T>, \
                            std::span<Real<T>>);                                                          \
  template void residuals<T>(const SparseMatrix<T>&, std::span<const ResidualColumn<T>>, const SliceRunner&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
