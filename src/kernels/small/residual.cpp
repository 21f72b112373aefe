// Residual kernels, compiled once for each level like level.cpp, but without contraction of floating-point expressions: the
// rounding error of a sum is computed by subtractions that a fused multiply-add would change.
#include "kernels/small/table.hpp"
#include "kernels/small/vector.hpp"
//
#include "kernels/small/transpose.inl"

namespace overlapack::kernels::small {
extern const Residuals OVERLAPACK_SMALL_RESIDUALS;
#if defined(__FMA__) || defined(__aarch64__)
namespace {

/// Length of the vectors by which lanes are interleaved.
template <class R>
constexpr int residual_vector = full_lanes<R> < residual_lanes ? full_lanes<R> : residual_lanes;

/// sum + low -= a x; low collects the rounding errors of product and sum.
/// Source  Ogita, Rump, Oishi 2005, algorithm Dot2
inline void subtract_product(double a, double x, double& sum, double& low) {
  const double product = a * x, lost = __builtin_fma(a, x, -product);
  const double difference = sum - product, back = difference - sum;
  low += ((sum - (difference - back)) - (product + back)) - lost;
  sum = difference;
}
/// In single precision low is not needed: the product is exact in double, and the sum is in double.
inline void subtract_product(float a, float x, double& sum, double&) {
  sum -= static_cast<double>(a) * static_cast<double>(x);
}

template <class R, int parts>
R modulus(const R* a) {
  if constexpr (parts == 1)
    return a[0] < 0 ? -a[0] : a[0];
  else if constexpr (sizeof(R) == 4)
    return __builtin_hypotf(a[0], a[1]);
  else
    return __builtin_hypot(a[0], a[1]);
}

/// The accumulators of one row.
template <class R, int parts, int lanes>
struct Row {
  double* __restrict sum, * __restrict low;
  R* __restrict weight;
};

/// Subtract the products of one entry of A with x from the sums of its row; the entry is conjugated if sign is -1.
template <class R, int parts, int lanes>
inline void subtract(const R* a, R sign, const R* __restrict x, const R* __restrict size,
                     const Row<R, parts, lanes>& to) {
  const R re = a[0], size_a = modulus<R, parts>(a);
  double *const sum = to.sum, *const low = to.low;
  if constexpr (parts == 1) {
#pragma omp simd
    for (int c = 0; c < lanes; ++c) subtract_product(re, x[c], sum[c], low[c]);
#pragma omp simd
    for (int c = 0; c < lanes; ++c) to.weight[c] += size_a * modulus<R, 1>(x + c);
  } else {
    const R im = sign * a[1];
#pragma omp simd
    for (int c = 0; c < lanes; ++c) {
      subtract_product(re, x[c], sum[c], low[c]);
      subtract_product(-im, x[lanes + c], sum[c], low[c]);
    }
#pragma omp simd
    for (int c = lanes; c < 2 * lanes; ++c) {
      subtract_product(re, x[c], sum[c], low[c]);
      subtract_product(im, x[c - lanes], sum[c], low[c]);
    }
#pragma omp simd
    for (int c = 0; c < lanes; ++c) to.weight[c] += size_a * size[c];
  }
}

/// Position of the first one of the ascending row numbers row[p] .. row[end - 1] that is >= wanted; end if there is none. This
/// file calls no function of the standard library, as the linker may use one level's copy of an inline function for all levels.
std::int64_t first_at_least(const std::int64_t* row, std::int64_t p, std::int64_t end, std::int64_t wanted) {
  while (p < end) {
    const std::int64_t middle = p + (end - p) / 2;
    if (row[middle] < wanted)
      p = middle + 1;
    else
      end = middle;
  }
  return p;
}

/// Initialise the sums of a row with b, and its weight with |b|.
template <class R, int parts, int lanes>
inline void start_row_sums(const R* __restrict b, const Row<R, parts, lanes>& row) {
#pragma omp simd
  for (int c = 0; c < parts * lanes; ++c) row.sum[c] = b[c], row.low[c] = 0;
  if constexpr (parts == 1) {
#pragma omp simd
    for (int c = 0; c < lanes; ++c) row.weight[c] = modulus<R, 1>(b + c);
  } else {
    for (int c = 0; c < lanes; ++c) {
      const R number[] = {b[c], b[lanes + c]};
      row.weight[c] = modulus<R, 2>(number);
    }
  }
}

/// Round the sums of a row to its residual. Counts, by lane, the rows whose weight is out of range or NaN: the rounding error of
/// a product is representable only if the product is above the smallest number / eps^2.
template <class R, int parts, int lanes>
inline void store_row_residual(const Row<R, parts, lanes>& row, R* __restrict r, R* __restrict outside) {
  constexpr R eps = sizeof(R) == 4 ? R(__FLT_EPSILON__) : R(__DBL_EPSILON__);
  constexpr R least = (sizeof(R) == 4 ? R(__FLT_MIN__) : R(__DBL_MIN__)) / (eps * eps),
              most = (sizeof(R) == 4 ? R(__FLT_MAX__) : R(__DBL_MAX__)) / 4;
#pragma omp simd
  for (int c = 0; c < parts * lanes; ++c) r[c] = static_cast<R>(row.sum[c] + row.low[c]);
#pragma omp simd
  for (int c = 0; c < lanes; ++c) {
    const R weight = row.weight[c];
    outside[c] += (weight == 0) | ((weight > least) & (weight < most)) ? R(0) : R(1);
  }
}

template <class R, int parts, int lanes>
bool residuals(const SparseColumns<R>& A, bool by_rows, bool conj, const R* x, const R* size, R* r, R* weight,
               double* sum, double* low) {
  constexpr int width = parts * lanes;
  // entries ahead whose x is prefetched, as no hardware prefetcher can guess the address
  constexpr std::int64_t ahead = 16;
  const R sign = conj ? R(-1) : R(1);
  const std::int64_t rows = A.end_row - A.first_row, last = A.start[A.end] - 1;
  const auto later = [&](std::int64_t p) { return A.row[p + ahead < last ? p + ahead : last]; };
  R outside[lanes] = {};
  const auto is_inside = [&] {
    R all = 0;
    for (int c = 0; c < lanes; ++c) all += outside[c];
    return all == 0;
  };
  if (by_rows) {
    for (std::int64_t i = 0; i < rows; ++i) {
      double row_sum[width], row_low[width];  // in registers
      R row_weight[lanes];
      const Row<R, parts, lanes> row{row_sum, row_low, row_weight};
      start_row_sums<R, parts, lanes>(r + i * width, row);
      for (std::int64_t p = A.start[A.begin + i]; p < A.start[A.begin + i + 1]; ++p) {
        const std::int64_t j = A.row[p];
        if constexpr (lanes > 1) __builtin_prefetch(x + later(p) * width);
        subtract<R, parts, lanes>(A.value + p * parts, sign, x + j * width, size + j * lanes, row);
      }
      store_row_residual<R, parts, lanes>(row, r + i * width, outside);
      for (int c = 0; c < lanes; ++c) weight[i * lanes + c] = row_weight[c];
    }
    return is_inside();
  }
  const auto row = [&](std::int64_t i) {
    return Row<R, parts, lanes>{sum + i * width, low + i * width, weight + i * lanes};
  };
  for (std::int64_t i = 0; i < rows; ++i) start_row_sums<R, parts, lanes>(r + i * width, row(i));
  for (std::int64_t j = A.begin; j < A.end; ++j) {
    const std::int64_t end = A.start[j + 1];
    std::int64_t p = A.start[j];
    if (A.first_row > 0) p = first_at_least(A.row, p, end, A.first_row);
    for (; p < end && A.row[p] < A.end_row; ++p)
      subtract<R, parts, lanes>(A.value + p * parts, sign, x + j * width, size + j * lanes,
                                row(A.row[p] - A.first_row));
  }
  for (std::int64_t i = 0; i < rows; ++i) store_row_residual<R, parts, lanes>(row(i), r + i * width, outside);
  return is_inside();
}

template <class R>
void interleave(std::int64_t m, const R* const* vectors, R* lanes) {
  transpose<R, false, residual_vector<R>>(
      m, residual_lanes, false, [=](Index i, Index c) { return vectors[c] + i; },
      [=](Index c, Index i) { return lanes + c + i * residual_lanes; });
}

template <class R>
void separate(std::int64_t m, const R* lanes, R* const* vectors) {
  transpose<R, false, residual_vector<R>>(
      residual_lanes, m, false, [=](Index c, Index i) { return lanes + c + i * residual_lanes; },
      [=](Index i, Index c) { return vectors[c] + i; });
}

template <class R, int parts>
constexpr ResidualKernels<R> kernels = {residuals<R, parts, 1>, residuals<R, parts, residual_lanes>,
                                        interleave<R>, separate<R>};

/// Treats four columns at a time, so that sums are loaded and stored once for all four.
template <class R>
void dense_columns(std::int64_t m, std::int64_t n, const R* a, std::int64_t lda, const R* x,
                   double* __restrict sum, double* __restrict low, R* __restrict weight) {
  const R zero = 0;
  for (std::int64_t j = 0; j < n; j += 4) {
    const std::int64_t last = n - 1;
    const R* const a0 = a + j * lda;
    const R* const a1 = a + (j + 1 < n ? j + 1 : last) * lda;  // beyond the last column: times zero
    const R* const a2 = a + (j + 2 < n ? j + 2 : last) * lda;
    const R* const a3 = a + (j + 3 < n ? j + 3 : last) * lda;
    const R x0 = x[j], x1 = j + 1 < n ? x[j + 1] : zero, x2 = j + 2 < n ? x[j + 2] : zero,
            x3 = j + 3 < n ? x[j + 3] : zero;
    const R size0 = modulus<R, 1>(&x0), size1 = modulus<R, 1>(&x1), size2 = modulus<R, 1>(&x2),
            size3 = modulus<R, 1>(&x3);
#pragma omp simd
    for (std::int64_t i = 0; i < m; ++i) {
      double s = sum[i], l = low[i];
      subtract_product(a0[i], x0, s, l);
      subtract_product(a1[i], x1, s, l);
      subtract_product(a2[i], x2, s, l);
      subtract_product(a3[i], x3, s, l);
      sum[i] = s, low[i] = l;
      weight[i] += (modulus<R, 1>(a0 + i) * size0 + modulus<R, 1>(a1 + i) * size1) +
                   (modulus<R, 1>(a2 + i) * size2 + modulus<R, 1>(a3 + i) * size3);
    }
  }
}

/// Eight partial sums of an inner product; each takes every eighth term.
template <class R>
struct Lanes {
  static constexpr int count = residual_lanes;
  double sum[count] = {}, low[count] = {};
  R weight[count] = {};

  void subtract(const R* __restrict a, const R* __restrict x) {
#pragma omp simd
    for (int c = 0; c < count; ++c) subtract_product(a[c], x[c], sum[c], low[c]);
#pragma omp simd
    for (int c = 0; c < count; ++c) weight[c] += modulus<R, 1>(a + c) * modulus<R, 1>(x + c);
  }
  /// Add other partial sums to the first `lanes` ones; low collects the rounding errors.
  template <int lanes>
  void add(const double* __restrict of_sum, const double* __restrict of_low, const R* __restrict of_weight) {
#pragma omp simd
    for (int c = 0; c < lanes; ++c) subtract_product(-1.0, of_sum[c], sum[c], low[c]);
#pragma omp simd
    for (int c = 0; c < lanes; ++c) low[c] += of_low[c];
#pragma omp simd
    for (int c = 0; c < lanes; ++c) weight[c] += of_weight[c];
  }
  /// Add lanes `lanes` .. 2 `lanes` - 1 to the first `lanes`.
  template <int lanes>
  void add_upper_half_of_lanes() {
    double s[lanes], l[lanes];
    R w[lanes];
    for (int c = 0; c < lanes; ++c) s[c] = sum[lanes + c], l[c] = low[lanes + c], w[c] = weight[lanes + c];
    add<lanes>(s, l, w);
  }
};

template <class R>
void dense_dots(std::int64_t m, std::int64_t n, const R* a, std::int64_t lda, const R* x,
                double* __restrict sum, double* __restrict low, R* __restrict weight) {
  constexpr int lanes = Lanes<R>::count;
  for (std::int64_t j = 0; j < n; ++j, a += lda) {
    Lanes<R> even, odd;  // two independent chains of sums
    std::int64_t i = 0;
    for (; i + 2 * lanes <= m; i += 2 * lanes) {
      even.subtract(a + i, x + i);
      odd.subtract(a + i + lanes, x + i + lanes);
    }
    if (i + lanes <= m) {
      even.subtract(a + i, x + i);
      i += lanes;
    }
    R last_a[lanes] = {}, last_x[lanes] = {};
    for (int c = 0; i + c < m; ++c) last_a[c] = a[i + c], last_x[c] = x[i + c];
    odd.subtract(last_a, last_x);
    even.template add<lanes>(odd.sum, odd.low, odd.weight);
    even.template add_upper_half_of_lanes<4>();
    even.template add_upper_half_of_lanes<2>();
    even.template add_upper_half_of_lanes<1>();
    subtract_product(-1.0, even.sum[0], sum[j], low[j]);
    low[j] += even.low[0];
    weight[j] += even.weight[0];
  }
}

template <class R>
constexpr DenseResidualKernels<R> dense = {dense_columns<R>, dense_dots<R>};

}  // namespace

constinit const Residuals OVERLAPACK_SMALL_RESIDUALS = {kernels<float, 1>,  kernels<float, 2>,
                                                        kernels<double, 1>, kernels<double, 2>,
                                                        dense<float>,       dense<double>};
#else
constinit const Residuals OVERLAPACK_SMALL_RESIDUALS = {};
#endif

}  // namespace overlapack::kernels::small
