#include "base/instantiate.hpp"
#include "kernels/pivoting/pair_pivot.hpp"
#include "sparse/block_triangular/columns/column_factors.hpp"

namespace overlapack::sparse::block_triangular {
namespace {

/// Sweeps through vectors that stand side by side: entry i of vector c is x[i width + c]. `Fixed` is the
/// number of vectors if it is known at compile time, else 0.
template <class T, Index Fixed>
struct Sweeps {
  const ColumnFactors<T>& factors;
  T* x;
  Index columns;
  Index width() const { return Fixed > 0 ? Fixed : columns; }
  T* at(Index i) const { return x + i * width(); }

  /// x(rows of column k) -= column k x(k)
  void push(const EntryColumns<T>& F, Index k) const {
    const T* const xk = at(k);
    for (Index p = F.start[k]; p < F.start[k + 1]; ++p) {
      T* const xi = at(F.row[p]);
      for (Index c = 0; c < width(); ++c) xi[c] -= F.value[p] * xk[c];
    }
  }
  /// x(k) -= column k^T x(rows of column k), or column k^H.
  template <bool IsConjugated = false>
  void pull(const EntryColumns<T>& F, Index k) const {
    T* const xk = at(k);
    for (Index p = F.start[k]; p < F.start[k + 1]; ++p) {
      const T* const xi = at(F.row[p]);
      const T value = IsConjugated ? conjugate(F.value[p]) : F.value[p];
      for (Index c = 0; c < width(); ++c) xk[c] -= value * xi[c];
    }
  }
  void divide(Index k) const {
    T* const xk = at(k);
    for (Index c = 0; c < width(); ++c) xk[c] /= factors.pivot[k];
  }

  /// x(k : k + 2) <- E^{-1} x(k : k + 2), E = [a b~; b c]
  void divide_pair(Index k) const {
    const T a = factors.pivot[k], b = factors.pivot_off[k], c = factors.pivot[k + 1];
    for (Index i = 0; i < width(); ++i)
      kernels::PairPivot<T>(a, b, c, factors.is_hermitian).solve(at(k)[i], at(k + 1)[i]);
  }

  void solve_symmetric() const {
    const EntryColumns<T>& L = factors.lower;
    const Index n = factors.columns();
    for (Index k = 0; k < n; ++k) push(L, k);  // L y = x
    for (Index k = 0; k < n; ++k) {            // D z = y
      if (factors.pivot_off[k] == T(0))
        divide(k);
      else
        divide_pair(k++);
    }
    for (Index k = n - 1; k >= 0; --k) {  // L^T x = z
      if (factors.is_hermitian)
        pull<true>(L, k);
      else
        pull(L, k);
    }
  }

  void solve(Index block) const {
    if (factors.is_symmetric()) return solve_symmetric();
    const Index first = factors.block_start[block], end = factors.block_start[block + 1];
    if (end - first > 1)
      for (Index k = first; k < end; ++k) push(factors.lower, k);  // L y = x
    for (Index k = end - 1; k >= first; --k) {                     // U x = y
      divide(k);
      push(factors.upper, k);
    }
  }
  void solve_transposed(Index block) const {
    const Index first = factors.block_start[block], end = factors.block_start[block + 1];
    for (Index k = first; k < end; ++k) {  // U^T y = x
      pull(factors.upper, k);
      divide(k);
    }
    if (end - first > 1)
      for (Index k = end - 1; k >= first; --k) pull(factors.lower, k);  // L^T x = y
  }
};

}  // namespace

template <class T>
void solve_block(const ColumnFactors<T>& factors, Index block, T* x, Index width) {
  if (width == 1)
    Sweeps<T, 1>{factors, x, 1}.solve(block);
  else
    Sweeps<T, 0>{factors, x, width}.solve(block);
}

template <class T>
void solve_block_transposed(const ColumnFactors<T>& factors, Index block, T* x, Index width) {
  if (width == 1)
    Sweeps<T, 1>{factors, x, 1}.solve_transposed(block);
  else
    Sweeps<T, 0>{factors, x, width}.solve_transposed(block);
}

#define OVERLAPACK_INSTANTIATE(T)                                       \
  template void solve_block(const ColumnFactors<T>&, Index, T*, Index); \
  template void solve_block_transposed(const ColumnFactors<T>&, Index, T*, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
