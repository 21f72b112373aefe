#include "kernels/spmv.hpp"

#include "base/instantiate.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/wide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::kernels {

template <class T>
void spmv(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
          std::span<std::type_identity_t<T>> y) {
  std::fill(y.begin(), y.end(), T(0));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) y[A.row[p]] += A.value[p] * x[j];
}

template <class T>
void spmv_trans(const SparseMatrix<T>& A, bool conj, std::span<const std::type_identity_t<T>> x,
                std::span<std::type_identity_t<T>> y) {
  for (Index j = 0; j < A.cols; ++j) {
    T sum(0);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      sum += (conj ? conjugate(A.value[p]) : A.value[p]) * x[A.row[p]];
    y[j] = sum;
  }
}

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

/// Row i of A is its column i, conjugated where A is Hermitian: one sum at a time, in the order of the columns as ever.
template <class T>
void residual_by_rows(const SparseMatrix<T>& A, std::span<const T> x, std::span<const T> b, std::span<T> r,
                      std::span<Real<T>> weight) {
  const bool is_conjugated = A.symmetry == Symmetry::hermitian;
  std::vector<Real<T>> size(x.size());
  std::ranges::transform(x, size.begin(), [](const T& entry) { return std::abs(entry); });
  for (Index i = 0; i < A.cols; ++i) {
    RowSum<T> sum(b[i]);
    for (Index p = A.start[i]; p < A.start[i + 1]; ++p)
      sum.subtract(is_conjugated ? conjugate(A.value[p]) : A.value[p], x[A.row[p]], size[A.row[p]]);
    r[i] = sum.residual();
    weight[i] = sum.weight;
  }
}

}  // namespace

template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight) {
  if (A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian)
    return residual_by_rows<T>(A, x, b, r, weight);
  std::vector<RowSum<T>> sums(b.begin(), b.end());
  for (Index j = 0; j < A.cols; ++j) {
    const T xj = x[j];
    const Real<T> size = std::abs(xj);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) sums[A.row[p]].subtract(A.value[p], xj, size);
  }
  std::ranges::transform(sums, r.begin(), &RowSum<T>::residual);
  std::ranges::transform(sums, weight.begin(), &RowSum<T>::weight);
}

namespace {

/// Groups of at most residual_lanes right-hand sides, side by side as their kernel wants them.
template <class T>
class ResidualGroups {
 public:
  explicit ResidualGroups(const SparseMatrix<T>& A)
      : A_(A),
        x_(A.cols * parts),
        size_(A.cols),
        sum_(A.rows * parts),
        low_(A.rows * parts),
        weight_(A.rows) {}

  /// Whether the numbers stayed where products and their rounding are exact; if not, r and weight mean nothing.
  bool run(std::span<const ResidualColumn<T>> columns) {
    place(columns, &ResidualColumn<T>::x, A_.cols, x_, size_);
    place(columns, &ResidualColumn<T>::b, A_.rows, sum_, weight_);
    std::fill_n(low_.at(0), low_.count, 0.0);
    const small::SparseColumns<R> A{A_.cols, A_.start.data(), A_.row.data(),
                                    reinterpret_cast<const R*>(A_.value.data())};
    const bool by_rows = A_.symmetry == Symmetry::symmetric || A_.symmetry == Symmetry::hermitian;
    small::residual_kernel<T>()(A, by_rows, A_.symmetry == Symmetry::hermitian, x_.at(0), size_.at(0),
                                sum_.at(0), low_.at(0), weight_.at(0));
    return take(columns);
  }

 private:
  using R = Real<T>;
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1, lanes = small::residual_lanes;
  static constexpr R eps = std::numeric_limits<R>::epsilon();
  /// The rounding of a product is a number only if the product is above the least one over eps^2.
  static constexpr R least = std::numeric_limits<R>::min() / (eps * eps),
                     most = std::numeric_limits<R>::max() / 4;

  /// Rows of lanes.
  template <class V>
  struct Lanes {
    std::size_t count;
    std::unique_ptr<V[]> values;
    explicit Lanes(Index rows)
        : count(static_cast<std::size_t>(rows * lanes)), values(std::make_unique_for_overwrite<V[]>(count)) {}
    V* at(Index row) { return values.get() + row * lanes; }
  };

  template <class V>
  static void place(std::span<const ResidualColumn<T>> columns, std::span<const T> ResidualColumn<T>::*of,
                    Index rows, Lanes<V>& values, Lanes<R>& sizes) {
    const T* from[lanes] = {};
    for (std::size_t c = 0; c < columns.size(); ++c) from[c] = (columns[c].*of).data();
    const auto count = static_cast<Index>(columns.size());
    for (Index i = 0; i < rows; ++i)
      for (Index c = 0; c < lanes; ++c) {
        const T number = c < count ? from[c][i] : T(0);
        values.at(i * parts)[c] = std::real(number);
        if constexpr (parts == 2) values.at(i * parts + 1)[c] = std::imag(number);
        sizes.at(i)[c] = std::abs(number);
      }
  }

  bool take(std::span<const ResidualColumn<T>> columns) {
    bool in_range = true;
    for (Index i = 0; i < A_.rows; ++i)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto part = [&](Index k) {
          return static_cast<R>(sum_.at(i * parts + k)[c] + low_.at(i * parts + k)[c]);
        };
        const R weight = columns[c].weight[i] = weight_.at(i)[c];
        in_range = in_range && (weight == 0 || (weight > least && weight < most));
        if constexpr (parts == 2)
          columns[c].r[i] = {part(0), part(1)};
        else
          columns[c].r[i] = part(0);
      }
    return in_range;
  }

  const SparseMatrix<T>& A_;
  Lanes<R> x_, size_;
  Lanes<double> sum_, low_;
  Lanes<R> weight_;
};

constexpr std::size_t least_group = 3;  ///< fewer right-hand sides go one by one: half-empty lanes do not pay

}  // namespace

template <class T>
void residuals(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns) {
  std::optional<ResidualGroups<T>> groups;
  if (columns.size() >= least_group && small::residual_kernel<T>() != nullptr) groups.emplace(A);
  while (!columns.empty()) {
    const auto group = columns.first(std::min<std::size_t>(columns.size(), small::residual_lanes));
    columns = columns.subspan(group.size());
    if (groups && group.size() >= least_group && groups->run(group)) continue;
    for (const ResidualColumn<T>& column : group) residual(A, column.x, column.b, column.r, column.weight);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template void spmv<T>(const SparseMatrix<T>&, std::span<const T>, std::span<T>);                        \
  template void spmv_trans<T>(const SparseMatrix<T>&, bool, std::span<const T>, std::span<T>);            \
  template void residual<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>, std::span<T>, \
                            std::span<Real<T>>);                                                          \
  template void residuals<T>(const SparseMatrix<T>&, std::span<const ResidualColumn<T>>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
