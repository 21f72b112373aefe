// Vectors of `lanes` real numbers; complex numbers lie in pairs of lanes. Included by level.cpp only, once for each
// level: everything has internal linkage, and nothing of the standard library is called.
#pragma once
#if defined(__AVX512F__)
#include <immintrin.h>
#endif
#include <cstdint>
#include <utility>  // a type alone

namespace {

using Index = std::int64_t;

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

template <class R>
constexpr int full_lanes = vector_bytes / static_cast<int>(sizeof(R));

template <class R, int lanes>
struct VectorOf {
  typedef R type __attribute__((vector_size(lanes * sizeof(R))));
};
template <class R>
struct VectorOf<R, 1> {
  using type = R;
};
template <class R, int lanes>
using Vector = typename VectorOf<R, lanes>::type;

template <class V, class R>
inline V load(const R* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

template <class V, class R>
inline void store(R* p, V v) {
  __builtin_memcpy(p, &v, sizeof v);
}

#if defined(__AVX512F__)
/// Masked access to the first `count` lanes of a whole vector: a load sets the other lanes to zero, a store leaves their memory
/// as it is.
constexpr bool has_parts_of_vectors = true;

template <class V>
inline V load_first_lanes(const double* p, int count) {
  return (V)_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1), p);
}
template <class V>
inline V load_first_lanes(const float* p, int count) {
  return (V)_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), p);
}
template <class V>
inline void store_first_lanes(double* p, V v, int count) {
  _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << count) - 1), (__m512d)v);
}
template <class V>
inline void store_first_lanes(float* p, V v, int count) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << count) - 1), (__m512)v);
}
#else
constexpr bool has_parts_of_vectors = false;

template <class V, class R>
V load_first_lanes(const R*, int);
template <class V, class R>
void store_first_lanes(R*, V, int);
#endif

/// Exchange real and imaginary parts.
template <int lanes, class V>
inline V swap_real_and_imaginary(V v) {
  if constexpr (lanes == 2) return __builtin_shufflevector(v, v, 1, 0);
  if constexpr (lanes == 4) return __builtin_shufflevector(v, v, 1, 0, 3, 2);
  if constexpr (lanes == 8) return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
  if constexpr (lanes == 16)
    return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

/// Even lanes of x, odd lanes of y.
template <int lanes, class V>
inline V blend_even_and_odd(V x, V y) {
  if constexpr (lanes == 2) return __builtin_shufflevector(x, y, 0, 3);
  if constexpr (lanes == 4) return __builtin_shufflevector(x, y, 0, 5, 2, 7);
  if constexpr (lanes == 8) return __builtin_shufflevector(x, y, 0, 9, 2, 11, 4, 13, 6, 15);
  if constexpr (lanes == 16)
    return __builtin_shufflevector(x, y, 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31);
}

/// x + i y, or x - i y, without a constant, which would occupy a register in the loop before it.
template <int lanes, class V>
inline V add_times_i(V x, V y, bool subtract) {
  const V z = swap_real_and_imaginary<lanes>(y);
  return subtract ? blend_even_and_odd<lanes>(x + z, x - z) : blend_even_and_odd<lanes>(x - z, x + z);
}

/// i x, for complex numbers in pairs of lanes.
template <class R, int lanes>
inline Vector<R, lanes> multiply_by_i(Vector<R, lanes> x) {
  Vector<R, lanes> signs;
  for (int lane = 0; lane < lanes; ++lane) signs[lane] = lane % 2 ? R(1) : R(-1);
  return swap_real_and_imaginary<lanes>(x) * signs;
}

template <int bytes>
struct Bits {
  using type = std::int64_t;
};
template <>
struct Bits<4> {
  using type = std::int32_t;
};

/// |x| of each lane, by clearing the sign bit.
template <class R, int lanes>
inline Vector<R, lanes> absolute(Vector<R, lanes> x) {
  using Integer = typename Bits<sizeof(R)>::type;
  if constexpr (lanes == 1) {
    return x < 0 ? -x : x;
  } else {
    using Integers = Vector<Integer, lanes>;
    constexpr Integer no_sign = static_cast<Integer>(~(std::uint64_t(1) << (8 * sizeof(R) - 1)));
    return (Vector<R, lanes>)((Integers)x & no_sign);
  }
}
template <class R, int lanes>
inline Vector<R, lanes> larger(Vector<R, lanes> x, Vector<R, lanes> y) {
  return x > y ? x : y;
}

/// |x|, or |re| + |im| in both lanes of a complex number.
template <class R, bool is_complex, int lanes>
inline Vector<R, lanes> magnitudes(Vector<R, lanes> x) {
  const Vector<R, lanes> parts = absolute<R, lanes>(x);
  if constexpr (is_complex) return parts + swap_real_and_imaginary<lanes>(parts);
  return parts;
}

template <class R, int lanes>
inline R largest_lane(Vector<R, lanes> v) {
  if constexpr (lanes == 1) {
    return v;
  } else {
    R largest = v[0];
    for (int lane = 1; lane < lanes; ++lane) largest = v[lane] > largest ? v[lane] : largest;
    return largest;
  }
}

/// x times a scalar held as (re, im).
template <class R, bool is_complex, int lanes>
inline Vector<R, lanes> product(Vector<R, lanes> x, const R* factor) {
  if constexpr (is_complex) return x * factor[0] + multiply_by_i<R, lanes>(x) * factor[1];
  return x * factor[0];
}

}  // namespace
