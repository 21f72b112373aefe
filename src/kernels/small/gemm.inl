// Small gemm: tiles of C in registers, A and B read where they are (no packing). Included by level.cpp only.

namespace {

/// How B is stored and read. cached: anywhere, and in the cache; in_strips: copied into strips; read_once: it comes from memory
/// and is read once, so that the kernel prefetches.
enum class Operand { cached, in_strips, read_once };

template <class R>
struct GemmOperands {  // distances in real numbers
  Index k;
  const R *a, *b;
  R* c;
  Index a_col, b_row, b_col, c_col;
  bool conj_b, accumulate;
  int last = 0;       ///< lanes in use of a vector that is not whole
  /// read_once: distance from a tile's first number of B to what its first step prefetches
  Index later = 0;
  Index further = 0;  ///< read_once: distance between what two successive steps prefetch
};

/// Columns of a tile of C: the sums of three vectors by this many columns (twice as many for complex numbers) fill the registers.
template <bool is_complex>
constexpr int tile_columns = (vector_bytes == 64 ? 8 : 4) / (is_complex ? 2 : 1);

/// One tile of C: `vectors` vectors down, of which the last is masked if is_part, and `columns` columns across. is_ahead:
/// prefetch the rows of A of the next tile.
template <class R, bool is_complex, Operand operand, int lanes, int vectors, int columns, bool is_ahead, bool is_part>
inline void tile(const GemmOperands<R>& g, const R* a, const R* b, R* c) {
  using V = Vector<R, lanes>;
  constexpr bool in_strips = operand == Operand::in_strips;
  V sum[columns][vectors] = {};
  V sum_im[is_complex ? columns : 1][vectors] = {};  // A Im(B), which is multiplied by i at the end
  const Index a_col = g.a_col, b_row = in_strips ? tile_columns<is_complex> : g.b_row,
              b_col = in_strips ? 1 : g.b_col;
  const auto load_from = [&](const R* p, int v) {
    if constexpr (is_part)
      if (v == vectors - 1) return load_first_lanes<V>(p + v * lanes, g.last);
    return load<V>(p + v * lanes);
  };
  const auto store_to = [&](R* p, int v, V result) {
    if constexpr (is_part)
      if (v == vectors - 1) return store_first_lanes(p + v * lanes, result, g.last);
    store(p + v * lanes, result);
  };
  if (in_strips)
    for (int j = 0; j < columns; ++j)
      for (int v = 0; v < vectors; ++v) __builtin_prefetch(c + j * g.c_col + v * lanes, 1);
  const R* later = b + g.later;
  for (Index l = g.k; l > 0; --l, a += a_col, b += b_row) {
    V x[vectors];
    if constexpr (operand == Operand::read_once && columns == tile_columns<is_complex>) {
      __builtin_prefetch(later);
      later += g.further;
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) x[v] = load_from(a, v);
    if constexpr (is_ahead) {  // the cache lines of the next tile's rows of A, up to that of its last row
#pragma GCC unroll 4
      for (int v = vectors; v < 2 * vectors; ++v) __builtin_prefetch(a + v * lanes, 0, 2);
      __builtin_prefetch(a + 2 * vectors * lanes - 1, 0, 2);
    }
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        sum[j][v] += x[v] * b[j * b_col];
        if constexpr (is_complex) sum_im[j][v] += x[v] * b[j * b_col + 1];
      }
  }
  if constexpr (is_complex) {
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[j][v] = add_times_i<lanes>(sum[j][v], sum_im[j][v], g.conj_b);
  }
#pragma GCC unroll 8
  for (int j = 0; j < columns; ++j)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      R* const to = c + j * g.c_col;
      store_to(to, v, g.accumulate ? load_from(to, v) - sum[j][v] : -sum[j][v]);
    }
}

/// All columns of C in `vectors * lanes` rows. is_ahead: the first tile prefetches the rows of A below these.
template <class R, bool is_complex, Operand operand, int lanes, int vectors, bool is_ahead = false, bool is_part = false>
inline void tile_row(const GemmOperands<R>& g, Index n, const R* a, R* c) {
  constexpr int wide = tile_columns<is_complex>;
  constexpr bool in_strips = operand == Operand::in_strips;
  const R* b = g.b;
  const Index next = wide * (in_strips ? g.k : g.b_col);
  if (is_ahead && n >= wide) {
    tile<R, is_complex, operand, lanes, vectors, wide, true, is_part>(g, a, b, c);
    n -= wide, b += next, c += wide * g.c_col;
  }
  for (; n >= wide; n -= wide, b += next, c += wide * g.c_col)
    tile<R, is_complex, operand, lanes, vectors, wide, false, is_part>(g, a, b, c);
  if constexpr (wide > 4) {
    if (n >= 4) {
      tile<R, is_complex, operand, lanes, vectors, 4, false, is_part>(g, a, b, c);
      n -= 4, b += 4 * (in_strips ? 1 : g.b_col), c += 4 * g.c_col;
    }
  }
  if (n >= 2) {
    tile<R, is_complex, operand, lanes, vectors, 2, false, is_part>(g, a, b, c);
    n -= 2, b += 2 * (in_strips ? 1 : g.b_col), c += 2 * g.c_col;
  }
  if (n == 1) tile<R, is_complex, operand, lanes, vectors, 1, false, is_part>(g, a, b, c);
}

/// The last rows, which fill no whole vector, by vectors of half the length, a quarter, ...
template <class R, bool is_complex, Operand operand, int lanes>
inline void last_rows(const GemmOperands<R>& g, Index m, Index n, const R* a, R* c) {
  if (m >= lanes) {
    tile_row<R, is_complex, operand, lanes, 1>(g, n, a, c);
    m -= lanes, a += lanes, c += lanes;
  }
  if constexpr (lanes > (is_complex ? 2 : 1))
    if (m > 0) last_rows<R, is_complex, operand, lanes / 2>(g, m, n, a, c);
}

template <class R, bool is_complex, Operand operand>
void gemm_rows(GemmOperands<R>& g, Index m, Index n) {
  constexpr int lanes = full_lanes<R>, tall = 3;
  constexpr bool in_strips = operand == Operand::in_strips;
  const R* a = g.a;
  R* c = g.c;
  for (; in_strips && m >= 2 * tall * lanes; m -= tall * lanes, a += tall * lanes, c += tall * lanes)
    tile_row<R, is_complex, operand, lanes, tall, in_strips>(g, n, a, c);
  for (; m >= tall * lanes; m -= tall * lanes, a += tall * lanes, c += tall * lanes)
    tile_row<R, is_complex, operand, lanes, tall>(g, n, a, c);
  if constexpr (has_parts_of_vectors) {
    g.last = static_cast<int>(m % lanes);
    if (m > 2 * lanes) return tile_row<R, is_complex, operand, lanes, 3, false, true>(g, n, a, c);
    if (m == 2 * lanes) return tile_row<R, is_complex, operand, lanes, 2>(g, n, a, c);
    if (m > lanes) return tile_row<R, is_complex, operand, lanes, 2, false, true>(g, n, a, c);
    if (m == lanes) return tile_row<R, is_complex, operand, lanes, 1>(g, n, a, c);
    if (m > 0) return tile_row<R, is_complex, operand, lanes, 1, false, true>(g, n, a, c);
  } else {
    if (m >= 2 * lanes) {
      tile_row<R, is_complex, operand, lanes, 2>(g, n, a, c);
      m -= 2 * lanes, a += 2 * lanes, c += 2 * lanes;
    }
    if (m > 0) last_rows<R, is_complex, operand, lanes>(g, m, n, a, c);
  }
}

/// For a B that is read once, sets what the tiles prefetch: if the numbers of a row of B are adjacent (b_col = 1), the same row a
/// few tiles further on; else the columns of the next tile, cache line by cache line.
template <class T, class R, bool is_complex, Operand operand>
void gemm(Index m, Index n, Index k, const T* a, Index lda, const T* b, Index b_row, Index b_col, bool conj_b,
          bool accumulate, T* c, Index ldc) {
  constexpr Index parts = is_complex ? 2 : 1, line = 64 / sizeof(R), tiles = 4;
  GemmOperands<R> g{k,
                    reinterpret_cast<const R*>(a),
                    reinterpret_cast<const R*>(b),
                    reinterpret_cast<R*>(c),
                    parts * lda,
                    parts * b_row,
                    parts * b_col,
                    parts * ldc,
                    conj_b,
                    accumulate};
  g.later = b_col == 1 ? tiles * line : tile_columns<is_complex> * g.b_col;
  g.further = b_col == 1 ? g.b_row : line;
  gemm_rows<R, is_complex, operand>(g, parts * m, n);
}

template <class R>
void gemm_strips(Index m, Index n, Index k, const R* a, Index lda, const R* b, bool accumulate, R* c,
                 Index ldc) {
  GemmOperands<R> g{k, a, b, c, lda, 0, 0, ldc, false, accumulate};
  gemm_rows<R, false, Operand::in_strips>(g, m, n);
}

template <class T, class R, bool is_complex>
constexpr auto gemm_strips_of() {
  if constexpr (is_complex)
    return nullptr;
  else
    return &gemm_strips<R>;
}

}  // namespace
