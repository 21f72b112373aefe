// Transposes of squares in registers. Included by level.cpp and residual.cpp only.

namespace {

/// Interleaves x and y by blocks of `size` lanes. If x has the blocks x0 x1 x2 x3 ... and y likewise, the result is x0 y0 x2 y2
/// ..., or, with is_high, x1 y1 x3 y3 ...
template <int lanes, int size, bool is_high, class V, int... lane>
inline V blocks_of(V x, V y, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(
      x, y, (is_high ? ((lane & size) ? lanes + lane : lane + size) : ((lane & size) ? lanes + lane - size : lane))...);
}

/// Transposes the square of numbers that `count` vectors hold: exchanges off-diagonal blocks of one number, then of two, four, ...
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

/// B <- A^T, or A^H if conj, for an m x n matrix A, by vectors of `lanes` real numbers. from(i, j): address of entry (i, j) of A;
/// to(j, i): address of entry (j, i) of B. The columns of both are contiguous.
template <class R, bool is_complex, int lanes, class From, class To>
[[gnu::always_inline]] inline void transpose(Index m, Index n, bool conj, From from, To to) {
  constexpr int parts = is_complex ? 2 : 1, square = lanes / parts;
  using V = Vector<R, lanes>;
  V signs = {};
  for (int lane = 0; lane < lanes; ++lane) signs[lane] = is_complex && conj && lane % 2 ? R(-1) : R(1);
  const auto copy = [&](Index top, Index bottom, Index left, Index right) {
    for (Index j = left; j < right; ++j)
      for (Index i = top; i < bottom; ++i)
        for (int p = 0; p < parts; ++p) to(j, i)[p] = signs[p] * from(i, j)[p];
  };
  const Index whole_rows = m / square * square, whole_columns = n / square * square;
  for (Index i = 0; i < whole_rows; i += square)
    for (Index j = 0; j < whole_columns; j += square) {
      V v[square];
#pragma GCC unroll 16
      for (int p = 0; p < square; ++p) v[p] = load<V>(from(i, j + p));
      transpose_square<lanes, parts, parts>(v);
#pragma GCC unroll 16
      for (int p = 0; p < square; ++p) {
        if constexpr (is_complex) v[p] *= signs;
        store(to(j, i + p), v[p]);
      }
    }
  copy(0, whole_rows, whole_columns, n);
  copy(whole_rows, m, 0, n);
}

}  // namespace
