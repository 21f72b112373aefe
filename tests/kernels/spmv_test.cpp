#include "kernels/sparse/spmv.hpp"

#include "kernels/small/dispatch.hpp"
#include "kernels/sparse/sparse_residual.hpp"
#include "kernels/sparse/wide.hpp"
#include "random_matrix.hpp"

#include <algorithm>
#include <thread>

namespace overlapack::kernels {
namespace {

template <class T>
struct SpmvTest : ::testing::Test {
  Random random{29};

  /// A random sparse matrix and the same dense; every third column is empty.
  SparseMatrix<T> sparse(Matrix<T>& dense) {
    SparseMatrix<T> A;
    A.rows = dense.rows();
    A.cols = dense.cols();
    for (Index j = 0; j < A.cols; ++j) {
      for (Index i = 0; i < A.rows; ++i)
        if (j % 3 != 2 && random.uniform() < 0.4) {
          A.row.push_back(i);
          A.value.push_back(dense(i, j) = random_scalar<T>(random));
        }
      A.start.push_back(A.nnz());
    }
    return A;
  }

  /// The same for a symmetric or Hermitian one.
  SparseMatrix<T> symmetric(Index n, Symmetry symmetry) {
    Matrix<T> dense(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        const T value = random.uniform() < 0.4 ? random_scalar<T>(random) : T(0);
        dense(i, j) = i == j ? T(std::real(value)) : value;
        dense(j, i) = symmetry == Symmetry::hermitian ? conjugate(dense(i, j)) : dense(i, j);
      }
    SparseMatrix<T> A;
    A.rows = A.cols = n;
    A.symmetry = symmetry;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i)
        if (dense(i, j) != T(0)) A.row.push_back(i), A.value.push_back(dense(i, j));
      A.start.push_back(A.nnz());
    }
    return A;
  }

  std::vector<T> vector(Index n) {
    std::vector<T> x(n);
    for (T& entry : x) entry = random_scalar<T>(random);
    return x;
  }
};
TYPED_TEST_SUITE(SpmvTest, AllScalars);

TYPED_TEST(SpmvTest, AgreesWithTheDenseProduct) {
  using T = TypeParam;
  for (Index m : {0, 1, 12, 31})
    for (Index n : {0, 1, 9, 40}) {
      Matrix<T> dense(m, n);
      const auto A = this->sparse(dense);
      const auto x = this->vector(n), b = this->vector(m), z = this->vector(m);
      std::vector<T> y(m, T(99)), r(m, T(99)), yt(n, T(99)), yh(n, T(99));
      std::vector<Real<T>> w(m, Real<T>(99));
      spmv(A, x, y);
      residual(A, x, b, r, std::span<Real<T>>(w));
      spmv_trans(A, false, z, yt);
      spmv_trans(A, true, z, yh);
      const double tolerance = 4 * (n + m + 2.0) * (n + m) * eps<T>;  // sums of at most n + m products <= 2
      for (Index i = 0; i < m; ++i) {
        T sum(0);
        double modulus = std::abs(b[i]);
        for (Index j = 0; j < n; ++j)
          sum += dense(i, j) * x[j], modulus += std::abs(dense(i, j)) * std::abs(x[j]);
        EXPECT_LE(std::abs(y[i] - sum), tolerance);
        EXPECT_LE(std::abs(r[i] - (b[i] - sum)), tolerance);
        EXPECT_LE(std::abs(w[i] - modulus), tolerance);
      }
      for (Index j = 0; j < n; ++j) {
        T plain(0), conjugated(0);
        for (Index i = 0; i < m; ++i)
          plain += dense(i, j) * z[i], conjugated += conjugate(dense(i, j)) * z[i];
        EXPECT_LE(std::abs(yt[j] - plain), tolerance);
        EXPECT_LE(std::abs(yh[j] - conjugated), tolerance);
      }
    }
}

/// Right-hand sides of one matrix: random x and b, and room for the answers.
template <class T>
struct ResidualSet {
  Index rows, cols, count;
  std::vector<T> x, b, r;
  std::vector<Real<T>> weight;

  ResidualSet(const SparseMatrix<T>& A, Index count, Random& random)
      : rows(A.rows),
        cols(A.cols),
        count(count),
        x(cols * count),
        b(rows * count),
        r(b.size()),
        weight(b.size()) {
    for (T& entry : x) entry = random_scalar<T>(random);
    for (T& entry : b) entry = random_scalar<T>(random);
  }
  std::vector<ResidualColumn<T>> columns() {
    std::vector<ResidualColumn<T>> all;
    for (Index k = 0; k < count; ++k)
      all.push_back({std::span(b).subspan(k * rows, rows), std::span(x).subspan(k * cols, cols),
                     std::span(r).subspan(k * rows, rows), std::span(weight).subspan(k * rows, rows)});
    return all;
  }
  /// The same, each number in a longer format by itself.
  ResidualSet twin(const SparseMatrix<T>& A) const {
    ResidualSet other = *this;
    for (const auto& c : other.columns()) {
      std::vector<WideScalar<T>> sum(c.b.begin(), c.b.end());
      std::ranges::transform(c.b, c.weight.begin(), [](const T& entry) { return std::abs(entry); });
      for (Index j = 0; j < A.cols; ++j)
        for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
          sum[A.row[p]] -= WideScalar<T>(A.value[p]) * WideScalar<T>(c.x[j]);
          c.weight[A.row[p]] += std::abs(A.value[p]) * std::abs(c.x[j]);
        }
      std::ranges::transform(sum, c.r.begin(), [](const WideScalar<T>& entry) { return T(entry); });
    }
    return other;
  }
};

TYPED_TEST(SpmvTest, ManyResidualsAreThoseOfEach) {
  using T = TypeParam;
  const std::string best{small_kernel_level()};
  for (const auto level : small_kernel_levels()) {
    use_small_kernel_level(level);
    for (Index count : {0, 1, 2, 3, 8, 9, 21}) {
      Matrix<T> dense(31, 40);
      const auto A = this->sparse(dense);
      ResidualSet<T> set(A, count, this->random);
      residuals<T>(A, set.columns());
      const ResidualSet<T> each = set.twin(A);
      for (std::size_t k = 0; k < set.r.size(); ++k) {
        // a row's 40 products of at most 2: both rounded once from a longer sum
        EXPECT_LE(std::abs(set.r[k] - each.r[k]), 2 * eps<T> * std::abs(each.r[k]) + 1000 * eps<T> * eps<T>);
        EXPECT_LE(std::abs(set.weight[k] - each.weight[k]), 160 * eps<T> * each.weight[k]);
      }
    }
  }
  use_small_kernel_level(best);
}

// The sum of products that cancel is right to the last bits: 1 + 2^-40 - (1 - 2^-40) + ... would lose all in one word.
TYPED_TEST(SpmvTest, ManyResidualsKeepWhatRoundingTakes) {
  using T = TypeParam;
  const Real<T> tiny = std::sqrt(eps<T>) / 8;
  SparseMatrix<T> A;
  A.rows = 1, A.cols = 2, A.start = {0, 1, 2}, A.row = {0, 0}, A.value = {T(1) + T(tiny), T(-1)};
  for (Index count : {3, 8}) {
    ResidualSet<T> set(A, count, this->random);
    std::fill(set.b.begin(), set.b.end(), T(0));
    for (Index k = 0; k < count; ++k)  // (1 + tiny) (1 - tiny) - 1 = -tiny^2
      set.x[2 * k] = T(1) - T(tiny), set.x[2 * k + 1] = T(1);
    residuals<T>(A, set.columns());
    for (const T& r : set.r) EXPECT_NEAR(std::real(r), tiny * tiny, 1e-3 * tiny * tiny);
  }
}

// Where products or their rounding leave the range, each column is summed for itself.
TYPED_TEST(SpmvTest, ManyResidualsBeyondTheRangeAreThoseOfEach) {
  using T = TypeParam;
  const Real<T> least = std::sqrt(std::numeric_limits<Real<T>>::min()) / 64,
                most = std::sqrt(std::numeric_limits<Real<T>>::max()) * 2;
  for (const Real<T> size : {least, most}) {
    Matrix<T> dense(12, 12);
    auto A = this->sparse(dense);
    for (T& value : A.value) value *= size;
    ResidualSet<T> set(A, 5, this->random);
    std::fill(set.b.begin(), set.b.end(), T(0));
    for (T& x : set.x) x *= size;
    residuals<T>(A, set.columns());
    const ResidualSet<T> each = set.twin(A);
    for (std::size_t k = 0; k < set.r.size(); ++k) {
      EXPECT_TRUE(set.r[k] == each.r[k] || std::isnan(std::abs(each.r[k]))) << set.r[k] << ' ' << each.r[k];
      EXPECT_EQ(set.weight[k], each.weight[k]);
    }
  }
}

// By rows or scattered by columns, residuals of eight at a time have the same bits.
TYPED_TEST(SpmvTest, ManySymmetricResidualsAreThoseOfAnyMatrix) {
  using T = TypeParam;
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    auto A = this->symmetric(29, symmetry);
    A.symmetry = Symmetry::general;
    ResidualSet<T> expected(A, 11, this->random);
    ResidualSet<T> set = expected;
    residuals<T>(A, expected.columns());
    A.symmetry = symmetry;
    residuals<T>(A, set.columns());
    EXPECT_EQ(set.r, expected.r);
    EXPECT_EQ(set.weight, expected.weight);
  }
}

}  // namespace
// Each slice makes some rows: the same bits on any number of threads.
TYPED_TEST(SpmvTest, ResidualsInSlicesAreThoseInOne) {
  using T = TypeParam;
  for (Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian})
    for (Index count : {1, 2, 5, 11}) {
      auto A = this->symmetric(400, symmetry == Symmetry::general ? Symmetry::symmetric : symmetry);
      A.symmetry = symmetry;
      ResidualSet<T> expected(A, count, this->random), set = expected;
      std::size_t most = 0;
      const SliceRunner three{3, [&](std::size_t slices, const std::function<void(std::size_t)>& slice) {
                                most = std::max(most, slices);
                                std::vector<std::jthread> threads;
                                for (std::size_t s = 0; s < slices; ++s) threads.emplace_back(slice, s);
                              }};
      residuals<T>(A, expected.columns());
      residuals<T>(A, set.columns(), three);
      EXPECT_EQ(most, 3u);
      EXPECT_EQ(set.r, expected.r);
      EXPECT_EQ(set.weight, expected.weight);
    }
}

}  // namespace overlapack::kernels
