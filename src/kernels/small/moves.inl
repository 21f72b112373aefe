// Kernels that move numbers: adding runs of one column to runs of another, and transposes. Included by level.cpp only.

namespace {

using overlapack::kernels::small::columns_together;
using overlapack::kernels::small::Run;

/// Uses by_halves instead of masked vectors: after a masked store, the load of the neighbouring run would wait for the store,
/// although they have no number in common.
template <class T, class R, bool is_complex, int columns>
void add_runs_of(Index count, const Run* runs, const T* const* from_, T* const* to_) {
  constexpr Index parts = is_complex ? 2 : 1;
  const R* from[columns];
  R* to[columns];
#pragma GCC unroll 4
  for (int c = 0; c < columns; ++c) {
    from[c] = reinterpret_cast<const R*>(from_[c]);
    to[c] = reinterpret_cast<R*>(to_[c]);
  }
  for (Index r = 0; r < count; ++r) {
    const Index first = parts * runs[r].first, start = parts * runs[r].to, length = parts * runs[r].length;
    by_halves<R, is_complex, full_lanes<R>>(length, 0, [&](auto piece, Index i) {
#pragma GCC unroll 4
      for (int c = 0; c < columns; ++c) {
        R* const y = to[c] + start + i;
        piece.store_to(y, piece.load_from(y) + piece.load_from(from[c] + first + i));
      }
    });
  }
}

template <class T, class R, bool is_complex>
void add_runs(Index count, const Run* runs, int columns, const T* const* from, T* const* to) {
  switch (columns) {
    case 1:
      return add_runs_of<T, R, is_complex, 1>(count, runs, from, to);
    case 2:
      return add_runs_of<T, R, is_complex, 2>(count, runs, from, to);
    case 3:
      return add_runs_of<T, R, is_complex, 3>(count, runs, from, to);
    default:
      return add_runs_of<T, R, is_complex, 4>(count, runs, from, to);
  }
}

template <class T, class R, bool is_complex>
void adjoint(Index m, Index n, const T* a, Index lda, bool conj, T* b, Index ldb) {
  transpose<R, is_complex, full_lanes<R>>(
      m, n, conj, [=](Index i, Index j) { return reinterpret_cast<const R*>(a + i + j * lda); },
      [=](Index j, Index i) { return reinterpret_cast<R*>(b + j + i * ldb); });
}

}  // namespace
