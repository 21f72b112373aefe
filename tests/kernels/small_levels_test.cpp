#include "kernels/reference/gemm.hpp"
#include "kernels/reference/triangular.hpp"
#include "kernels/small/dispatch.hpp"
#include "overlapack/error.hpp"
#include "random_matrix.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace overlapack::kernels {
namespace {

/// Every kernel of the table against plain loops, at every level that this processor runs.
template <class T>
struct SmallLevelsTest : ::testing::Test {
  Random random{31};
  std::string best{small_kernel_level()};

  ~SmallLevelsTest() override { use_small_kernel_level(best); }

  template <class Check>
  void at_every_level(Check check) {
    for (const auto level : small_kernel_levels()) {
      SCOPED_TRACE(level);
      use_small_kernel_level(level);
      ASSERT_EQ(small_kernel_level(), level);
      check(small::kernels<T>());
      if (this->HasFatalFailure()) return;
    }
  }
};
TYPED_TEST_SUITE(SmallLevelsTest, AllScalars);

TYPED_TEST(SmallLevelsTest, Gemm) {
  using T = TypeParam;
  this->at_every_level([&](const auto& fast) {
    for (Index m : {1, 2, 3, 5, 7, 8, 13, 24, 31, 61, 100})
      for (Index n : {1, 2, 3, 4, 5, 8, 11, 15})
        for (Index k : {0, 1, 4, 19})
          for (bool accumulate : {false, true}) {
            const auto A = Matrix<T>::random(m, k, this->random), B = Matrix<T>::random(n, k, this->random);
            auto C = Matrix<T>::random(m, n, this->random);
            auto twin = C, once = C;
            const bool conj = n % 2 == 0;
            const auto a = A.view(), b = B.view();
            fast.gemm(m, n, k, a.data, a.ld, b.data, b.ld, 1, conj, accumulate, C.view().data, C.view().ld);
            fast.gemm_once(m, n, k, a.data, a.ld, b.data, b.ld, 1, conj, accumulate, once.view().data,
                           once.view().ld);
            ASSERT_TRUE(all_near<T>(once, C, 0));  // the same bits
            reference::gemm(Op::none, conj ? Op::conj_trans : Op::trans, T(-1), A, B, T(accumulate ? 1 : 0),
                            twin.view());
            ASSERT_TRUE(all_near<T>(C, twin, 4.0 * (k + 2) * (k + 1) * eps<T>)) << m << ' ' << n << ' ' << k;
            ASSERT_EQ(C.guards(), twin.guards());
          }
  });
}

TYPED_TEST(SmallLevelsTest, GemmInStrips) {
  using T = TypeParam;
  if constexpr (!ScalarTraits<T>::is_complex)
    this->at_every_level([&](const auto& fast) {
      const Index width = small::tables->strip_columns;
      for (Index m : {1, 3, 8, 13, 24, 31, 48, 61, 100, 145})
        for (Index n : {1, 2, 3, 4, 5, 7, 8, 15, 24, 29})
          for (Index k : {0, 1, 19, 64})
            for (bool accumulate : {false, true}) {
              const auto A = Matrix<T>::random(m, k, this->random), B = Matrix<T>::random(n, k, this->random);
              auto C = Matrix<T>::random(m, n, this->random);
              auto twin = C;
              std::vector<T> strips(static_cast<std::size_t>((n + width - 1) / width * width * k),
                                    std::numeric_limits<T>::quiet_NaN());
              for (Index j = 0; j < n; ++j)
                for (Index l = 0; l < k; ++l)
                  strips[static_cast<std::size_t>(j / width * width * k + l * width + j % width)] = B(j, l);
              const auto a = A.view();
              fast.gemm_strips(m, n, k, a.data, a.ld, strips.data(), accumulate, C.view().data, C.view().ld);
              reference::gemm(Op::none, Op::trans, T(-1), A, B, T(accumulate ? 1 : 0), twin.view());
              ASSERT_TRUE(all_near<T>(C, twin, 4.0 * (k + 2) * (k + 1) * eps<T>))
                  << m << ' ' << n << ' ' << k;
              ASSERT_EQ(C.guards(), twin.guards());
            }
    });
}

TYPED_TEST(SmallLevelsTest, SolveRows) {
  using T = TypeParam;
  this->at_every_level([&](const auto& fast) {
    for (Index m : {0, 1, 2, 3, 7, 16, 29})
      for (Index n = 0; n <= small::base_width; ++n) {
        auto L = Matrix<T>::random(n, n, this->random);
        T packed[64];
        for (Index p = 0; p < n; ++p) {
          L(p, p) += T(4);
          for (Index i = p; i < n; ++i) packed[i + 8 * p] = i == p ? T(1) / L(p, p) : L(i, p);
        }
        auto X = Matrix<T>::random(m, n, this->random);
        auto twin = X;
        fast.solve_rows(m, static_cast<int>(n), packed, X.view().data, X.view().ld);
        reference::solve_right_lower_trans(L.view(), false, false, twin.view());
        ASSERT_TRUE(all_near<T>(X, twin, 100 * (n + 1) * eps<T>))
            << m << ' ' << n;  // |L^{-1}| < 8 at this diagonal
        ASSERT_EQ(X.guards(), twin.guards());
      }
  });
}

TYPED_TEST(SmallLevelsTest, Columns) {
  using T = TypeParam;
  this->at_every_level([&](const auto& fast) {
    for (Index m : {0, 1, 2, 3, 5, 8, 15, 16, 33, 70})
      for (Index n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 21}) {
        const auto L = Matrix<T>::random(m, n, this->random);
        const auto c = Matrix<T>::random(n, 1, this->random), x = Matrix<T>::random(m, 1, this->random);
        const double tolerance = 4.0 * (n + m + 2) * (n + m) * eps<T>;
        auto y = Matrix<T>::random(m, 1, this->random);
        auto twin = y;
        const Real<T> largest =
            fast.subtract_columns(m, n, L.view().data, L.view().ld, c.view().data, y.view().data);
        reference::gemm(Op::none, Op::none, T(-1), L, c, T(1), twin.view());
        ASSERT_TRUE(all_near<T>(y, twin, tolerance)) << m << ' ' << n;
        ASSERT_EQ(y.guards(), twin.guards());
        Real<T> expected = 0;
        for (Index i = 0; i < m; ++i) expected = std::max(expected, magnitude(y(i, 0)));
        ASSERT_EQ(largest, expected);
        ASSERT_EQ(fast.largest(m, y.view().data), expected);
        for (bool conj : {false, true}) {
          Matrix<T> sums(n, 1), twins(n, 1);
          fast.dots(m, n, L.view().data, L.view().ld, conj, x.view().data, sums.view().data);
          reference::gemm(conj ? Op::conj_trans : Op::trans, Op::none, T(1), L, x, T(0), twins.view());
          ASSERT_TRUE(all_near<T>(sums, twins, tolerance)) << m << ' ' << n;
        }
        const T factor = random_scalar<T>(this->random);
        fast.scale(m, &factor, y.view().data);
        for (Index i = 0; i < m; ++i) twin(i, 0) *= factor;
        ASSERT_TRUE(all_near<T>(y, twin, tolerance));
      }
  });
}

TYPED_TEST(SmallLevelsTest, AddRuns) {
  using T = TypeParam;
  this->at_every_level([&](const auto& fast) {
    for (int columns = 1; columns <= small::columns_together; ++columns)
      for (std::int32_t longest : {1, 3, 8, 19, 40}) {
        std::vector<small::Run>
            runs;  // of growing lengths, apart by one in the child and by two in its parent
        std::int32_t child_rows = 0, rows = 0;
        for (std::int32_t length = 1; length <= longest; ++length) {
          runs.push_back({child_rows, length, rows});
          child_rows += length + 1;
          rows += length + 2;
        }
        const auto child = Matrix<T>::random(child_rows, columns, this->random);
        auto parent = Matrix<T>::random(rows, columns, this->random), twin = parent;
        std::vector<const T*> from;
        std::vector<T*> to;
        for (Index c = 0; c < columns; ++c) {
          from.push_back(child.view().column(c));
          to.push_back(parent.view().column(c));
          for (const small::Run& run : runs)
            for (Index i = 0; i < run.length; ++i) twin(run.to + i, c) += child(run.first + i, c);
        }
        fast.add_runs(static_cast<Index>(runs.size()), runs.data(), columns, from.data(), to.data());
        ASSERT_TRUE(all_near<T>(parent, twin, 0)) << columns << ' ' << longest;
        ASSERT_EQ(parent.guards(), twin.guards());
      }
  });
}

TYPED_TEST(SmallLevelsTest, Adjoint) {
  using T = TypeParam;
  this->at_every_level([&](const auto& fast) {
    for (bool conj : {false, true})
      for (Index m : {0, 1, 3, 8, 16, 21, 50})
        for (Index n : {0, 1, 5, 8, 17, 33}) {
          const auto A = Matrix<T>::random(m, n, this->random);
          auto B = Matrix<T>::random(n, m, this->random), twin = B;
          for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < n; ++j) twin(j, i) = conj ? conjugate(A(i, j)) : A(i, j);
          const auto a = A.view();
          fast.adjoint(m, n, a.data, a.ld, conj, B.view().data, B.view().ld);
          ASSERT_TRUE(all_near<T>(B, twin, 0)) << m << ' ' << n;
          ASSERT_EQ(B.guards(), twin.guards());
        }
  });
}

/// Column k of L with the rows k + 1, k + 3, ..., of U with k - 1, k - 3, ...
TYPED_TEST(SmallLevelsTest, Systems) {
  using T = TypeParam;
  constexpr Index n = 9, together = small::systems_together;
  std::vector<std::int32_t> l_start{0}, l_row, u_start{0}, u_row;
  for (std::int32_t k = 0; k < n; ++k) {
    for (std::int32_t i = k + 1; i < n; i += 2) l_row.push_back(i);
    for (std::int32_t i = k - 1; i >= 0; i -= 2) u_row.push_back(i);
    l_start.push_back(static_cast<std::int32_t>(l_row.size()));
    u_start.push_back(static_cast<std::int32_t>(u_row.size()));
  }
  const auto numbers = [&](Index count) { return Matrix<T>::random(together * count, 1, this->random); };
  const auto L = numbers(static_cast<Index>(l_row.size())), U = numbers(static_cast<Index>(u_row.size())),
             inverse = numbers(n), y = numbers(n);
  const auto at = [](const Matrix<T>& of) { return of.view().data; };
  const auto entry = [](const Matrix<T>& of, Index s, Index k) { return of(s + together * k, 0); };
  this->at_every_level([&](const auto& fast) {
    auto forward = y, backward = y, left = y, upper = numbers(3);
    const std::int32_t pivot[] = {0, 3, 4};
    fast.systems_forward(n, {l_start.data(), l_row.data()}, at(L), forward.view().data);
    fast.systems_backward(n, {u_start.data(), u_row.data()}, at(U), at(inverse), backward.view().data);
    fast.systems_eliminate(3, pivot, {l_start.data(), l_row.data()}, at(L), upper.view().data,
                           left.view().data);
    for (Index s = 0; s < together; ++s) {
      std::vector<T> f, b, e;
      for (Index k = 0; k < n; ++k)
        f.push_back(entry(y, s, k)), b.push_back(entry(y, s, k)), e.push_back(entry(y, s, k));
      double grown = 1;  // |entries| <= 1 by parts, so that each step at most triples the largest number
      const auto push = [&](std::vector<T>& x, const Matrix<T>& F, const std::vector<std::int32_t>& start,
                            const std::vector<std::int32_t>& row, Index k, T own) {
        for (Index q = start[k]; q < start[k + 1]; ++q) x[row[q]] -= entry(F, s, q) * own;
        grown *= 3;
      };
      for (Index k = 0; k < n; ++k) push(f, L, l_start, l_row, k, f[k]);
      const double by_all = grown;
      for (Index k = n - 1; k >= 0; --k) push(b, U, u_start, u_row, k, b[k] *= entry(inverse, s, k));
      for (int u = 0; u < 3; ++u) {
        const T own = std::exchange(e[pivot[u]], T(0));
        ASSERT_LE(std::abs(entry(upper, s, u) - own), by_all * eps<T>);
        push(e, L, l_start, l_row, pivot[u], own);
      }
      for (Index k = 0; k < n; ++k) {
        ASSERT_LE(std::abs(entry(forward, s, k) - f[k]), by_all * eps<T>);
        ASSERT_LE(std::abs(entry(backward, s, k) - b[k]), by_all * eps<T>);
        ASSERT_LE(std::abs(entry(left, s, k) - e[k]), by_all * eps<T>);
      }
    }
  });
}

TEST(SmallLevels, AnUnknownLevelIsRefused) {
  EXPECT_THROW(use_small_kernel_level("x86-64-v9"), Error);
  EXPECT_FALSE(small_kernel_levels().empty());
  EXPECT_EQ(small_kernel_levels().back(), small_kernel_level());
}

}  // namespace
}  // namespace overlapack::kernels
