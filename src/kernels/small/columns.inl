// Kernels over tall columns: the bases of panels and triangular solves, and matrix-vector products.
// Included by level.cpp only.

namespace {

template <class R, bool is_complex>
constexpr int least_lanes = is_complex ? 2 : 1;

/// A piece of a column: `lanes_` real numbers.
template <class R, int lanes_>
struct Lanes {
  static constexpr int lanes = lanes_;
  using V = Vector<R, lanes>;
  static V load_from(const R* p) { return load<V>(p); }
  static void store_to(R* p, V v) { store(p, v); }
};

/// The last lanes of a column, in a vector whose other lanes are zero.
template <class R>
struct LastLanes {
  static constexpr int lanes = full_lanes<R>;
  using V = Vector<R, lanes>;
  V load_from(const R* p) const { return load_first_lanes<V>(p, count); }
  void store_to(R* p, V v) const { store_first_lanes(p, v, count); }
  int count;
};

/// Calls work(piece, i) for pieces of [0, m) real numbers: full vectors, then halves, quarters, ...
template <class R, bool is_complex, int lanes, class Work>
[[gnu::always_inline]] inline void by_halves(Index m, Index i, Work work) {
  for (; i + lanes <= m; i += lanes) work(Lanes<R, lanes>{}, i);
  if constexpr (lanes > least_lanes<R, is_complex>) {
    if (i < m) by_halves<R, is_complex, lanes / 2>(m, i, work);
  }
}

/// by_halves, except that a masked vector covers the end if the level has masked vectors.
template <class R, bool is_complex, int lanes, class Work>
[[gnu::always_inline]] inline void by_vectors(Index m, Index i, Work work) {
  if constexpr (has_parts_of_vectors) {
    for (; i + lanes <= m; i += lanes) work(Lanes<R, lanes>{}, i);
    if (i < m) work(LastLanes<R>{static_cast<int>(m - i)}, i);
  } else {
    by_halves<R, is_complex, lanes>(m, i, work);
  }
}

/// y <- y - L c for exactly n columns; returns the largest magnitude of y.
template <class R, bool is_complex, int n>
R subtract_n_columns(Index m, const R* l, Index ldl, const R* c, R* y) {
  constexpr int parts = is_complex ? 2 : 1, full = full_lanes<R>;
  Vector<R, full> largest = {};
  // a copy of c, as the compiler must assume that stores to y change c
  R largest_tail = 0, factor[parts * n + 1];
  for (int p = 0; p < parts * n; ++p) factor[p] = c[p];
  by_vectors<R, is_complex, full>(m, 0, [&](auto piece, Index i) {
    constexpr int lanes = decltype(piece)::lanes;
    using V = Vector<R, lanes>;
    V sum = piece.load_from(y + i);
#pragma GCC unroll 8
    for (int p = 0; p < n; ++p) {
      const V x = piece.load_from(l + p * ldl + i);
      sum -= x * factor[parts * p];
      if constexpr (is_complex) sum -= multiply_by_i<R, lanes>(x) * factor[parts * p + 1];
    }
    piece.store_to(y + i, sum);
    const V size = magnitudes<R, is_complex, lanes>(sum);
    if constexpr (lanes == full) {
      largest = larger<R, full>(size, largest);
    } else {
      const R here = largest_lane<R, lanes>(larger<R, lanes>(size, V{}));  // not NaN
      largest_tail = here > largest_tail ? here : largest_tail;
    }
  });
  const R in_vectors = largest_lane<R, full>(largest);
  return in_vectors > largest_tail ? in_vectors : largest_tail;
}

template <class T, class R, bool is_complex>
R subtract_columns(Index m, Index n, const T* l_, Index ldl, const T* c_, T* y_) {
  constexpr int parts = is_complex ? 2 : 1;
  const R *l = reinterpret_cast<const R*>(l_), *c = reinterpret_cast<const R*>(c_);
  R* y = reinterpret_cast<R*>(y_);
  m *= parts, ldl *= parts;
  for (; n > 8; n -= 8, l += 8 * ldl, c += 8 * parts) subtract_n_columns<R, is_complex, 8>(m, l, ldl, c, y);
  switch (n) {
    case 0:
      return subtract_n_columns<R, is_complex, 0>(m, l, ldl, c, y);
    case 1:
      return subtract_n_columns<R, is_complex, 1>(m, l, ldl, c, y);
    case 2:
      return subtract_n_columns<R, is_complex, 2>(m, l, ldl, c, y);
    case 3:
      return subtract_n_columns<R, is_complex, 3>(m, l, ldl, c, y);
    case 4:
      return subtract_n_columns<R, is_complex, 4>(m, l, ldl, c, y);
    case 5:
      return subtract_n_columns<R, is_complex, 5>(m, l, ldl, c, y);
    case 6:
      return subtract_n_columns<R, is_complex, 6>(m, l, ldl, c, y);
    case 7:
      return subtract_n_columns<R, is_complex, 7>(m, l, ldl, c, y);
    default:
      return subtract_n_columns<R, is_complex, 8>(m, l, ldl, c, y);
  }
}

/// Solve X t^T = B: x_p <- x_p / t_pp, then x_i <- x_i - x_p t_ip for i > p. A piece of all n columns is held in registers.
template <class R, bool is_complex, int n>
void solve_rows_n(Index m, const R* t, R* x, Index ldx) {
  constexpr int parts = is_complex ? 2 : 1;
  by_vectors<R, is_complex, full_lanes<R>>(m, 0, [&](auto piece, Index row) {
    constexpr int lanes = decltype(piece)::lanes;
    using V = Vector<R, lanes>;
    V v[n];
#pragma GCC unroll 8
    for (int p = 0; p < n; ++p) v[p] = piece.load_from(x + row + p * ldx);
#pragma GCC unroll 8
    for (int p = 0; p < n; ++p) {
      const R* column = t + 8 * parts * p;
      v[p] = product<R, is_complex, lanes>(v[p], column + parts * p);
#pragma GCC unroll 8
      for (int i = p + 1; i < n; ++i) v[i] -= product<R, is_complex, lanes>(v[p], column + parts * i);
    }
#pragma GCC unroll 8
    for (int p = 0; p < n; ++p) piece.store_to(x + row + p * ldx, v[p]);
  });
}

template <class T, class R, bool is_complex>
void solve_rows(Index m, int n, const T* t_, T* x_, Index ldx) {
  constexpr int parts = is_complex ? 2 : 1;
  const R* t = reinterpret_cast<const R*>(t_);
  R* x = reinterpret_cast<R*>(x_);
  m *= parts, ldx *= parts;
  switch (n) {
    case 0:
      return;
    case 1:
      return solve_rows_n<R, is_complex, 1>(m, t, x, ldx);
    case 2:
      return solve_rows_n<R, is_complex, 2>(m, t, x, ldx);
    case 3:
      return solve_rows_n<R, is_complex, 3>(m, t, x, ldx);
    case 4:
      return solve_rows_n<R, is_complex, 4>(m, t, x, ldx);
    case 5:
      return solve_rows_n<R, is_complex, 5>(m, t, x, ldx);
    case 6:
      return solve_rows_n<R, is_complex, 6>(m, t, x, ldx);
    case 7:
      return solve_rows_n<R, is_complex, 7>(m, t, x, ldx);
    default:
      return solve_rows_n<R, is_complex, 8>(m, t, x, ldx);
  }
}

/// The sum of the even lanes, plus odd_sign times the sum of the odd lanes.
template <class R, int lanes>
inline R sum_lanes(Vector<R, lanes> v, R odd_sign) {
  if constexpr (lanes == 1) {
    return v;
  } else {
    R sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += lane % 2 ? odd_sign * v[lane] : v[lane];
    return sum;
  }
}

/// c_p <- L(:, p)^T x for exactly n columns.
template <class R, bool is_complex, int n>
void dots_n(Index m, const R* l, Index ldl, bool conj, const R* x, R* c) {
  constexpr int parts = is_complex ? 2 : 1, full = full_lanes<R>;
  Vector<R, full> straight[n] = {}, crossed[n] = {};  // l_re x_re, l_im x_im | l_re x_im, l_im x_re
  R tails[parts * n] = {};
  const R re_sign = !is_complex || conj ? R(1) : R(-1), im_sign = conj ? R(-1) : R(1);
  by_vectors<R, is_complex, full>(m, 0, [&](auto piece, Index i) {
    constexpr int lanes = decltype(piece)::lanes;
    using V = Vector<R, lanes>;
    const V vx = piece.load_from(x + i);
#pragma GCC unroll 4
    for (int p = 0; p < n; ++p) {
      const V vl = piece.load_from(l + p * ldl + i);
      if constexpr (lanes == full) {
        straight[p] += vl * vx;
        if constexpr (is_complex) crossed[p] += vl * swap_real_and_imaginary<lanes>(vx);
      } else {
        tails[parts * p] += sum_lanes<R, lanes>(vl * vx, re_sign);
        if constexpr (is_complex)
          tails[parts * p + 1] += sum_lanes<R, lanes>(vl * swap_real_and_imaginary<lanes>(vx), im_sign);
      }
    }
  });
  for (int p = 0; p < n; ++p) {
    c[parts * p] = tails[parts * p] + sum_lanes<R, full>(straight[p], re_sign);
    if constexpr (is_complex)
      c[parts * p + 1] = tails[parts * p + 1] + sum_lanes<R, full>(crossed[p], im_sign);
  }
}

template <class T, class R, bool is_complex>
void dots(Index m, Index n, const T* l_, Index ldl, bool conj, const T* x_, T* c_) {
  constexpr int parts = is_complex ? 2 : 1;
  const R *l = reinterpret_cast<const R*>(l_), *x = reinterpret_cast<const R*>(x_);
  R* c = reinterpret_cast<R*>(c_);
  m *= parts, ldl *= parts;
  for (; n >= 4; n -= 4, l += 4 * ldl, c += 4 * parts) dots_n<R, is_complex, 4>(m, l, ldl, conj, x, c);
  if (n >= 2) {
    dots_n<R, is_complex, 2>(m, l, ldl, conj, x, c);
    n -= 2, l += 2 * ldl, c += 2 * parts;
  }
  if (n == 1) dots_n<R, is_complex, 1>(m, l, ldl, conj, x, c);
}

/// The largest magnitude of y. Four independent strands run side by side, since in each a comparison waits for the one before.
template <class T, class R, bool is_complex>
R largest(Index m, const T* y_) {
  constexpr int full = full_lanes<R>, strands = 4;
  using V = Vector<R, full>;
  const R* y = reinterpret_cast<const R*>(y_);
  m *= is_complex ? 2 : 1;
  V best[strands] = {};
  Index i = 0;
  for (; i + strands * full <= m; i += strands * full)
#pragma GCC unroll 4
    for (int s = 0; s < strands; ++s)
      best[s] = larger<R, full>(magnitudes<R, is_complex, full>(load<V>(y + i + s * full)), best[s]);
  R result = largest_lane<R, full>(
      larger<R, full>(larger<R, full>(best[0], best[1]), larger<R, full>(best[2], best[3])));
  by_vectors<R, is_complex, full>(m, i, [&](auto piece, Index at) {
    constexpr int lanes = decltype(piece)::lanes;
    const auto size = magnitudes<R, is_complex, lanes>(piece.load_from(y + at));
    const R here = largest_lane<R, lanes>(larger<R, lanes>(size, Vector<R, lanes>{}));  // not NaN
    result = here > result ? here : result;
  });
  return result;
}

template <class T, class R, bool is_complex>
void scale(Index m, const T* factor, T* y_) {
  R* y = reinterpret_cast<R*>(y_);
  const R* by = reinterpret_cast<const R*>(factor);
  by_vectors<R, is_complex, full_lanes<R>>((is_complex ? 2 : 1) * m, 0, [&](auto piece, Index i) {
    constexpr int lanes = decltype(piece)::lanes;
    piece.store_to(y + i, product<R, is_complex, lanes>(piece.load_from(y + i), by));
  });
}

}  // namespace
