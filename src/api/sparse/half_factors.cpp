#include "overlapack/half_factors.hpp"

#include "base/instantiate.hpp"
#include "base/public_call.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace overlapack {
namespace {

template <class T>
bool is_real(const SparseMatrix<T>& A) {
  return std::ranges::all_of(A.value, [](const T& x) { return std::imag(x) == 0; });
}

}  // namespace

template <class T>
HalfFactors<T>::HalfFactors(SymmetricFactors<T> parts)
    : parts_(std::move(parts)),
      is_conjugated_(ScalarTraits<T>::is_complex &&
                     (parts_.D.symmetry == Symmetry::hermitian || (is_real(parts_.L) && is_real(parts_.D)))) {
  const SparseMatrix<T>&L = parts_.L, &D = parts_.D;
  const Index n = L.cols;
  if (L.rows != n || D.rows != n || D.cols != n || static_cast<Index>(parts_.position.size()) != n)
    throw Error(Status::bad_input, "L, D and the positions are of different orders; give those of one matrix")
        .in(call::half);
  d_.diagonal.resize(static_cast<std::size_t>(n));
  d_.below.resize(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j)
    for (Index k = D.start[j]; k < D.start[j + 1]; ++k) {
      if (D.row[k] == j) d_.diagonal[static_cast<std::size_t>(j)] = D.value[k];
      if (D.row[k] == j + 1) d_.below[static_cast<std::size_t>(j)] = D.value[k];
    }
  if (!ScalarTraits<T>::is_complex || is_conjugated_) make_root();
}

/// Compute D^{1/2}, the Cholesky factors of the blocks of D.
template <class T>
void HalfFactors<T>::make_root() {
  const auto n = static_cast<std::size_t>(order());
  root_ = d_;
  for (std::size_t k = 0; k < n; ++k) {
    const Real<T> rest = std::real(root_.diagonal[k]);
    if (!(rest > 0)) {
      not_positive_ = std::ranges::find(parts_.position, static_cast<Index>(k)) - parts_.position.begin();
      return;
    }
    const Real<T> root = std::sqrt(rest);
    root_.diagonal[k] = root;
    root_.below[k] /= root;
    if (k + 1 < n) root_.diagonal[k + 1] -= T(std::norm(root_.below[k]));
  }
}

template <class T>
void HalfFactors<T>::require_columns(std::span<T> x, Index nrhs) const {
  if (nrhs < 0 || static_cast<Index>(x.size()) != order() * nrhs)
    throw Error(Status::bad_input, "x has " + std::to_string(x.size()) + " entries; give " +
                                       std::to_string(order()) + " for each of " + std::to_string(nrhs) +
                                       " columns")
        .in(call::half);
}

template <class T>
void HalfFactors<T>::require_root() const {
  if (ScalarTraits<T>::is_complex && !is_conjugated_)
    throw Error(
        Status::bad_plan,
        "the matrix is complex symmetric, and has no H with A = H H^H; solve with L, D and L^T one by one")
        .in(call::half);
  if (not_positive_ >= 0)
    throw Error(Status::bad_input,
                "the matrix is not positive definite: the pivot of unknown " + std::to_string(not_positive_) +
                    " (from 0) is not positive; there is no H with A = H H^H: solve with L, D and L^T one by "
                    "one")
        .in(call::half);
}

/// x <- P x, or P^T x.
template <class T>
void HalfFactors<T>::permute(std::span<T> x, Index nrhs, bool is_back) const {
  const auto n = static_cast<std::size_t>(order());
  std::vector<T> permuted(n);
  for (std::size_t first = 0; first < n * static_cast<std::size_t>(nrhs); first += n) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(parts_.position[i]);
      if (is_back)
        permuted[i] = x[first + at];
      else
        permuted[at] = x[first + i];
    }
    std::ranges::copy(permuted, x.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

template <class T>
void HalfFactors<T>::forward(T* x) const {
  const SparseMatrix<T>& L = parts_.L;
  for (Index j = 0; j < L.cols; ++j) {
    const T own = x[j];
    for (Index k = L.start[j] + 1; k < L.start[j + 1]; ++k) x[L.row[k]] -= L.value[k] * own;
  }
}

template <class T>
void HalfFactors<T>::backward(T* x) const {
  const SparseMatrix<T>& L = parts_.L;
  for (Index j = L.cols; j-- > 0;) {
    T own = x[j];
    if (is_conjugated_)
      for (Index k = L.start[j] + 1; k < L.start[j + 1]; ++k) own -= conjugate(L.value[k]) * x[L.row[k]];
    else
      for (Index k = L.start[j] + 1; k < L.start[j + 1]; ++k) own -= L.value[k] * x[L.row[k]];
    x[j] = own;
  }
}

template <class T>
void HalfFactors<T>::solve_l(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  permute(x, nrhs, false);
  for (Index j = 0; j < nrhs; ++j) forward(x.data() + j * order());
}

template <class T>
void HalfFactors<T>::solve_lt(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  for (Index j = 0; j < nrhs; ++j) backward(x.data() + j * order());
  permute(x, nrhs, true);
}

template <class T>
void HalfFactors<T>::solve_d(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  for (Index j = 0; j < nrhs; ++j) divide(x.data() + j * order());
}

/// x <- D^{-1} x
template <class T>
void HalfFactors<T>::divide(T* x) const {
  for (std::size_t k = 0; k < d_.diagonal.size(); ++k) {
    const T a = d_.diagonal[k], b = d_.below[k];
    if (b == T(0)) {
      x[k] /= a;
      continue;
    }
    // [a b~; b c]: divided by b, which is the largest entry of most pairs
    const T c = d_.diagonal[k + 1], ratio = a / b, det = ratio * c - (is_conjugated_ ? conjugate(b) : b);
    const T y = (ratio * x[k + 1] - x[k]) / det;
    x[k] = (x[k + 1] - c * y) / b;
    x[++k] = y;
  }
}

template <class T>
void HalfFactors<T>::substitute(std::span<T> x, Index nrhs, std::span<T> room) const {
  require_columns(x, nrhs);
  const auto n = static_cast<std::size_t>(order());
  if (room.size() < n) require_columns(room, 1);
  for (T* column = x.data(); column < x.data() + x.size(); column += n) {
    for (std::size_t i = 0; i < n; ++i) room[static_cast<std::size_t>(parts_.position[i])] = column[i];
    forward(room.data());
    divide(room.data());
    backward(room.data());
    for (std::size_t i = 0; i < n; ++i) column[i] = room[static_cast<std::size_t>(parts_.position[i])];
  }
}

template <class T>
void HalfFactors<T>::multiply(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  require_root();
  const SparseMatrix<T>& L = parts_.L;
  for (Index r = 0; r < nrhs; ++r) {
    T* const y = x.data() + r * order();
    for (Index k = order(); k-- > 0;) {
      const auto at = static_cast<std::size_t>(k);
      y[k] *= root_.diagonal[at];
      if (k > 0) y[k] += root_.below[at - 1] * y[k - 1];
    }
    for (Index j = order(); j-- > 0;)
      for (Index k = L.start[j] + 1; k < L.start[j + 1]; ++k) y[L.row[k]] += L.value[k] * y[j];
  }
  permute(x, nrhs, true);
}

template <class T>
void HalfFactors<T>::solve(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  require_root();
  solve_l(x, nrhs);
  for (Index r = 0; r < nrhs; ++r) {
    T* const y = x.data() + r * order();
    for (Index k = 0; k < order(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (k > 0) y[k] -= root_.below[at - 1] * y[k - 1];
      y[k] /= root_.diagonal[at];
    }
  }
}

template <class T>
void HalfFactors<T>::solve_adjoint(std::span<T> x, Index nrhs) const {
  require_columns(x, nrhs);
  require_root();
  for (Index r = 0; r < nrhs; ++r) {
    T* const y = x.data() + r * order();
    for (Index k = order(); k-- > 0;) {
      const auto at = static_cast<std::size_t>(k);
      if (k + 1 < order()) y[k] -= conjugate(root_.below[at]) * y[k + 1];
      y[k] /= root_.diagonal[at];
    }
  }
  solve_lt(x, nrhs);
}

OVERLAPACK_INSTANTIATE_CLASS(HalfFactors);

}  // namespace overlapack
