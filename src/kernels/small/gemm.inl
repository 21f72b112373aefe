// Small gemm: tiles of C in registers, A and B read where they are (no packing). Included by level.cpp only.

namespace {

template <class R>
struct GemmOperands {  // distances in real numbers
  Index k;
  const R *a, *b;
  R* c;
  Index a_col, b_row, b_col, c_col;
  bool conj_b, accumulate;
};

/// Apply `work` to each vector of a tile of C and its sum.
template <int lanes, int vectors, int columns, class R, class V, class Work>
[[gnu::always_inline]] inline void finish(R* c, Index c_col, V (&sum)[columns][vectors], Work work) {
#pragma GCC unroll 8
  for (int j = 0; j < columns; ++j)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) work(c + j * c_col + v * lanes, sum[j][v]);
}

/// One tile of C: `vectors` vectors down, `columns` across.
template <class R, bool is_complex, int lanes, int vectors, int columns>
inline void tile(const GemmOperands<R>& g, const R* a, const R* b, R* c) {
  using V = Vector<R, lanes>;
  V sum[columns][vectors] = {};
  V sum_im[is_complex ? columns : 1][vectors] = {};  // A Im(B): times i when all is summed
  const Index a_col = g.a_col, b_row = g.b_row, b_col = g.b_col;
  for (Index l = g.k; l > 0; --l, a += a_col, b += b_row) {
    V x[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) x[v] = load<V>(a + v * lanes);
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
  if (g.accumulate)
    finish<lanes>(c, g.c_col, sum, [](R* to, V s) { store(to, load<V>(to) - s); });
  else
    finish<lanes>(c, g.c_col, sum, [](R* to, V s) { store(to, -s); });
}

/// Three vectors by this many columns of sums, complex ones twice, fill the registers.
template <bool is_complex>
constexpr int tile_columns = (vector_bytes == 64 ? 8 : 4) / (is_complex ? 2 : 1);

/// All columns of `vectors * lanes` rows.
template <class R, bool is_complex, int lanes, int vectors>
inline void tile_row(const GemmOperands<R>& g, Index n, const R* a, R* c) {
  constexpr int wide = tile_columns<is_complex>;
  const R* b = g.b;
  for (; n >= wide; n -= wide, b += wide * g.b_col, c += wide * g.c_col)
    tile<R, is_complex, lanes, vectors, wide>(g, a, b, c);
  if constexpr (wide > 4) {
    if (n >= 4) {
      tile<R, is_complex, lanes, vectors, 4>(g, a, b, c);
      n -= 4, b += 4 * g.b_col, c += 4 * g.c_col;
    }
  }
  if (n >= 2) {
    tile<R, is_complex, lanes, vectors, 2>(g, a, b, c);
    n -= 2, b += 2 * g.b_col, c += 2 * g.c_col;
  }
  if (n == 1) tile<R, is_complex, lanes, vectors, 1>(g, a, b, c);
}

/// The rows that fill no vector, by vectors of half the length, a quarter, ...
template <class R, bool is_complex, int lanes>
inline void last_rows(const GemmOperands<R>& g, Index m, Index n, const R* a, R* c) {
  if (m >= lanes) {
    tile_row<R, is_complex, lanes, 1>(g, n, a, c);
    m -= lanes, a += lanes, c += lanes;
  }
  if constexpr (lanes > (is_complex ? 2 : 1))
    if (m > 0) last_rows<R, is_complex, lanes / 2>(g, m, n, a, c);
}

template <class R, bool is_complex>
void gemm_rows(const GemmOperands<R>& g, Index m, Index n) {
  constexpr int lanes = full_lanes<R>, tall = 3;
  const R* a = g.a;
  R* c = g.c;
  for (; m >= tall * lanes; m -= tall * lanes, a += tall * lanes, c += tall * lanes)
    tile_row<R, is_complex, lanes, tall>(g, n, a, c);
  if (m >= 2 * lanes) {
    tile_row<R, is_complex, lanes, 2>(g, n, a, c);
    m -= 2 * lanes, a += 2 * lanes, c += 2 * lanes;
  }
  if (m > 0) last_rows<R, is_complex, lanes>(g, m, n, a, c);
}

template <class T, class R, bool is_complex>
void gemm(Index m, Index n, Index k, const T* a, Index lda, const T* b, Index b_row, Index b_col, bool conj_b,
          bool accumulate, T* c, Index ldc) {
  constexpr Index parts = is_complex ? 2 : 1;
  const GemmOperands<R> g{k,
                          reinterpret_cast<const R*>(a),
                          reinterpret_cast<const R*>(b),
                          reinterpret_cast<R*>(c),
                          parts * lda,
                          parts * b_row,
                          parts * b_col,
                          parts * ldc,
                          conj_b,
                          accumulate};
  gemm_rows<R, is_complex>(g, parts * m, n);
}

}  // namespace
