// Triangular factors of several systems with one pattern, side by side in vectors. Included by level.cpp only.

namespace {

using overlapack::kernels::small::SystemColumns;
using overlapack::kernels::small::systems_together;

/// One number of each system, as they are stored side by side in memory; complex numbers as pairs of reals.
template <class R, bool is_complex>
struct Group {
  static constexpr int reals = systems_together * (is_complex ? 2 : 1),
                       width = full_lanes<R> < reals ? full_lanes<R> : reals, pieces = reals / width;
  using V = Vector<R, width>;
  V part[pieces];

  explicit Group(const R* p) {
    for (int v = 0; v < pieces; ++v) part[v] = load<V>(p + v * width);
  }
  void put(R* p) const {
    for (int v = 0; v < pieces; ++v) store(p + v * width, part[v]);
  }
};

/// A group prepared as the factor of many products: for complex numbers as (re, re) and (-im, im).
template <class R, bool is_complex>
struct Factor {
  using G = Group<R, is_complex>;
  typename G::V same[G::pieces], crossed[is_complex ? G::pieces : 1];

  explicit Factor(const G& g) {
    for (int v = 0; v < G::pieces; ++v) {
      if constexpr (is_complex) {
        const auto exchanged = swap_real_and_imaginary<G::width>(g.part[v]);
        same[v] = blend_even_and_odd<G::width>(g.part[v], exchanged);
        crossed[v] = blend_even_and_odd<G::width>(-exchanged, g.part[v]);
      } else {
        same[v] = g.part[v];
      }
    }
  }
  typename G::V times(typename G::V x, int v) const {
    if constexpr (is_complex) return x * same[v] + swap_real_and_imaginary<G::width>(x) * crossed[v];
    return x * same[v];
  }
};

/// x(row[q]) -= value[q] factor for q = begin .. end - 1, in all systems
template <class R, bool is_complex>
[[gnu::always_inline]] inline void push(Index begin, Index end, const std::int32_t* row, const R* value,
                                        const Factor<R, is_complex>& factor, R* x) {
  using G = Group<R, is_complex>;
  for (Index q = begin; q < end; ++q) {
    const R* const l = value + q * G::reals;
    R* const to = x + row[q] * Index{G::reals};
    for (int v = 0; v < G::pieces; ++v) {
      const auto own = load<typename G::V>(l + v * G::width);
      store(to + v * G::width, load<typename G::V>(to + v * G::width) - factor.times(own, v));
    }
  }
}

template <class T, class R, bool is_complex>
void systems_eliminate(Index count, const std::int32_t* pivot, SystemColumns L, const T* lower_, T* upper_,
                       T* x_) {
  using G = Group<R, is_complex>;
  const R* const lower = reinterpret_cast<const R*>(lower_);
  R *const upper = reinterpret_cast<R*>(upper_), *const x = reinterpret_cast<R*>(x_);
  for (Index u = 0; u < count; ++u) {
    const Index k = pivot[u];
    R* const own = x + k * G::reals;
    const G g(own);
    g.put(upper + u * G::reals);
    for (int i = 0; i < G::reals; ++i) own[i] = 0;
    push<R, is_complex>(L.start[k], L.start[k + 1], L.row, lower, Factor<R, is_complex>(g), x);
  }
}

template <class T, class R, bool is_complex>
void systems_forward(Index n, SystemColumns L, const T* lower, T* y_) {
  R* const y = reinterpret_cast<R*>(y_);
  for (Index j = 0; j < n; ++j) {
    const Group<R, is_complex> own(y + j * Group<R, is_complex>::reals);
    push<R, is_complex>(L.start[j], L.start[j + 1], L.row, reinterpret_cast<const R*>(lower),
                        Factor<R, is_complex>(own), y);
  }
}

template <class T, class R, bool is_complex>
void systems_backward(Index n, SystemColumns U, const T* upper, const T* inverse, T* y_) {
  using G = Group<R, is_complex>;
  R* const y = reinterpret_cast<R*>(y_);
  for (Index j = n - 1; j >= 0; --j) {
    G own(y + j * G::reals);
    const Factor<R, is_complex> by(G(reinterpret_cast<const R*>(inverse) + j * G::reals));
    for (int v = 0; v < G::pieces; ++v) own.part[v] = by.times(own.part[v], v);
    own.put(y + j * G::reals);
    push<R, is_complex>(U.start[j], U.start[j + 1], U.row, reinterpret_cast<const R*>(upper),
                        Factor<R, is_complex>(own), y);
  }
}

}  // namespace
