#include "api/diagnose/null_vectors.hpp"

#include "api/diagnose/diagnose_plan.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <utility>

namespace overlapack::api {
namespace {

template <class T>
using Long = std::conditional_t<std::is_same_v<T, Real<T>>, long double, std::complex<long double>>;

template <class T>
std::vector<double> row_sums(const SparseMatrix<T>& A) {
  std::vector<double> sums(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; k < A.row.size(); ++k)
    sums[static_cast<std::size_t>(A.row[k])] += std::abs(A.value[k]);
  return sums;
}

/// product <- A v, weight <- |A| |v|
template <class T>
void multiply(const SparseMatrix<T>& A, std::span<const T> v, std::vector<Long<T>>& product,
              std::vector<double>& weight) {
  product.assign(static_cast<std::size_t>(A.rows), Long<T>(0));
  weight.assign(static_cast<std::size_t>(A.rows), 0);
  for (Index j = 0; j < A.cols; ++j) {
    const T x = v[static_cast<std::size_t>(j)];
    if (x == T(0)) continue;
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      const auto i = static_cast<std::size_t>(A.row[k]);
      product[i] += Long<T>(A.value[k]) * Long<T>(x);
      weight[i] += std::abs(A.value[k]) * std::abs(x);
    }
  }
}

template <class T>
double largest(std::span<const T> v) {
  double most = 0;
  for (const T& x : v) most = std::max<double>(most, std::abs(x));
  return most;
}

/// The columns of Z and their images A Z, each row divided by the size of A's row.
template <class T>
class Space {
 public:
  Space(const SparseMatrix<T>& A, std::vector<T> Z, Index k)
      : A_(A), n_(static_cast<std::size_t>(A.rows)), sums_(row_sums(A)), k_(k), Z_(std::move(Z)) {
    std::vector<Long<T>> product;
    std::vector<double> weight;
    for (Index c = 0; c < k; ++c) {
      multiply<T>(A, column(Z_, c), product, weight);
      for (std::size_t i = 0; i < n_; ++i)
        W_.push_back(sums_[i] > 0 ? T(product[i] / static_cast<long double>(sums_[i])) : T(0));
    }
  }

  /// Rotate the columns so that their images are orthogonal. This separates vectors whose image is zero from those whose image is nearly zero.
  /// Source  one-sided Jacobi: Hestenes, J. SIAM 6 (1958)
  void rotate_to_smallest_images() {
    for (int sweep = 0; sweep < diagnose_plan.most_sweeps; ++sweep) {
      bool is_done = true;
      for (Index p = 0; p < k_; ++p)
        for (Index q = p + 1; q < k_; ++q) is_done &= !rotate_pair(p, q);
      if (is_done) return;
    }
  }

  std::vector<NullVector<T>> basis() {
    std::vector<Index> proved, weak;
    for (Index c = 0; c < k_; ++c) (share(column(Z_, c)) <= diagnose_plan.proof ? proved : weak).push_back(c);
    std::vector<NullVector<T>> all = echelon(proved, true);
    std::ranges::move(echelon(weak, false), std::back_inserter(all));
    return all;
  }

 private:
  std::span<T> column(std::vector<T>& of, Index c) const {
    return std::span<T>(of).subspan(static_cast<std::size_t>(c) * n_, n_);
  }

  bool rotate_pair(Index p, Index q) {
    const auto wp = column(W_, p), wq = column(W_, q);
    double a = 0, b = 0;
    T g = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      a += std::norm(wp[i]);
      b += std::norm(wq[i]);
      g += conjugate(wp[i]) * wq[i];
    }
    const double size = std::abs(g);
    if (!(size > 1e-12 * std::sqrt(a) * std::sqrt(b))) return false;
    const T phase = conjugate(g) / size;
    const double zeta = (b - a) / (2 * size);
    const double t = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::hypot(1, zeta));
    const double cosine = 1 / std::hypot(1, t), sine = cosine * t;
    for (auto* of : {&W_, &Z_}) {
      const auto x = column(*of, p), y = column(*of, q);
      for (std::size_t i = 0; i < n_; ++i) {
        const T first = x[i], second = phase * y[i];
        x[i] = cosine * first - sine * second;
        y[i] = sine * first + cosine * second;
      }
    }
    return true;
  }

  double share(std::span<const T> v) const {
    std::vector<Long<T>> product;
    std::vector<double> weight;
    multiply<T>(A_, v, product, weight);
    const double most = largest(v);
    double worst = 0;
    for (std::size_t i = 0; i < n_; ++i)
      if (sums_[i] > 0)
        worst = std::max(worst, static_cast<double>(std::abs(product[i])) /
                                    (weight[i] + diagnose_plan.floor_share * sums_[i] * most));
    return worst;
  }

  /// Bring these columns to echelon form by complete elimination. Each vector then has a position at which all others are zero, so that
  /// vectors of unconnected parts come apart.
  std::vector<NullVector<T>> echelon(std::span<const Index> columns, bool are_proved) {
    std::vector<NullVector<T>> vectors;
    std::vector<Index> rest(columns.begin(), columns.end());
    std::vector<std::pair<Index, std::size_t>> done;  // column, pivot
    while (!rest.empty()) {
      std::size_t pivot = 0, which = 0;
      double most = -1;
      for (std::size_t c = 0; c < rest.size(); ++c)
        for (std::size_t i = 0; i < n_; ++i)
          if (const double size = std::abs(column(Z_, rest[c])[i]); size > most)
            most = size, pivot = i, which = c;
      const Index chosen = rest[which];
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(which));
      const auto own = column(Z_, chosen);
      const T scale = T(1) / own[pivot];
      for (T& x : own) x *= scale;
      const auto clear = [&](Index other) {
        const auto v = column(Z_, other);
        const T factor = v[pivot];
        for (std::size_t i = 0; i < n_; ++i) v[i] -= factor * own[i];
      };
      for (const Index other : rest) clear(other);
      for (const auto& [other, place] : done) clear(other);
      done.emplace_back(chosen, pivot);
    }
    for (const auto& [c, pivot] : done)
      vectors.push_back(vector_of(column(Z_, c), static_cast<Index>(pivot), are_proved));
    return vectors;
  }

  NullVector<T> vector_of(std::span<const T> v, Index pivot, bool is_proved) const {
    NullVector<T> vector{{}, {}, pivot, share(v), is_proved};
    const double most = largest(v);
    for (std::size_t i = 0; i < n_; ++i)
      if (std::abs(v[i]) > diagnose_plan.noise * most) vector.support.push_back(static_cast<Index>(i));
    std::ranges::stable_sort(vector.support, std::ranges::greater(), [&](Index i) {
      return std::round(1e6 * std::abs(v[static_cast<std::size_t>(i)]) / most);
    });
    for (const Index i : vector.support) vector.values.push_back(v[static_cast<std::size_t>(i)]);
    return vector;
  }

  const SparseMatrix<T>& A_;
  std::size_t n_;
  std::vector<double> sums_;
  Index k_;
  std::vector<T> Z_, W_;
};

}  // namespace

template <class T>
std::vector<NullVector<T>> sparse_null_basis(const SparseMatrix<T>& A, std::vector<T> Z, Index k) {
  Space<T> space(A, std::move(Z), k);
  space.rotate_to_smallest_images();
  return space.basis();
}

template std::vector<NullVector<double>> sparse_null_basis(const SparseMatrix<double>&, std::vector<double>,
                                                           Index);
template std::vector<NullVector<std::complex<double>>> sparse_null_basis(
    const SparseMatrix<std::complex<double>>&, std::vector<std::complex<double>>, Index);

}  // namespace overlapack::api
