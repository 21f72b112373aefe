// Numbers that go to other places: runs of a column added to those of another one, transposes. Included by level.cpp only.

namespace {

using overlapack::kernels::small::columns_together;
using overlapack::kernels::small::Run;

/// By halves: the load of a run next to a store with a mask would wait for it, though they have no number in common.
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

/// The lanes of x and y in blocks of `size`: every second block of x, and between these what stands there in y, moved by a block;
/// is_high: the other blocks, and those of x moved.
template <int lanes, int size, bool is_high, class V, int... lane>
inline V blocks_of(V x, V y, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(
      x, y, (is_high ? ((lane & size) ? lanes + lane : lane + size) : ((lane & size) ? lanes + lane - size : lane))...);
}

/// The square of numbers in `count` vectors, transposed: by blocks of one number, two, four, ...
template <int lanes, int parts, int size, int count, class V>
[[gnu::always_inline]] inline void transpose_square(V (&v)[count]) {
  if constexpr (size < lanes) {
    constexpr int apart = size / parts;
    constexpr auto all = std::make_integer_sequence<int, lanes>{};
#pragma GCC unroll 16
    for (int p = 0; p < count; ++p)
      if ((p & apart) == 0) {
        const V x = v[p], y = v[p + apart];
        v[p] = blocks_of<lanes, size, false>(x, y, all);
        v[p + apart] = blocks_of<lanes, size, true>(x, y, all);
      }
    transpose_square<lanes, parts, 2 * size>(v);
  }
}

template <class T, class R, bool is_complex>
void adjoint(Index m, Index n, const T* a, Index lda, bool conj, T* b, Index ldb) {
  constexpr int parts = is_complex ? 2 : 1, lanes = full_lanes<R>, square = lanes / parts;
  using V = Vector<R, lanes>;
  V signs = {};
  for (int lane = 0; lane < lanes; ++lane) signs[lane] = is_complex && conj && lane % 2 ? R(-1) : R(1);
  const auto copy = [&](Index top, Index bottom, Index left, Index right) {
    const R* from = reinterpret_cast<const R*>(a);
    R* to = reinterpret_cast<R*>(b);
    for (Index j = left; j < right; ++j)
      for (Index i = top; i < bottom; ++i)
        for (int p = 0; p < parts; ++p)
          to[parts * (j + i * ldb) + p] = signs[p] * from[parts * (i + j * lda) + p];
  };
  const Index whole_rows = m / square * square, whole_columns = n / square * square;
  for (Index i = 0; i < whole_rows; i += square)
    for (Index j = 0; j < whole_columns; j += square) {
      V v[square];
#pragma GCC unroll 16
      for (int p = 0; p < square; ++p) v[p] = load<V>(reinterpret_cast<const R*>(a + i + (j + p) * lda));
      transpose_square<lanes, parts, parts>(v);
#pragma GCC unroll 16
      for (int p = 0; p < square; ++p) {
        if constexpr (is_complex) v[p] *= signs;
        store(reinterpret_cast<R*>(b + j + (i + p) * ldb), v[p]);
      }
    }
  copy(0, whole_rows, whole_columns, n);
  copy(whole_rows, m, 0, n);
}

}  // namespace
