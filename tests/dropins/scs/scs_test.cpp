#include "scs_stand_in.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// The plug-in for SCS in the hands of a caller that does what SCS does, with each of its types of numbers.
namespace {

std::string printed;

/// Upper triangle of a symmetric P, or all of A, from rows of a dense matrix: what is not zero.
struct Columns {
  std::vector<scs_float> x;
  std::vector<scs_int> i, p{0};
  ScsMatrix matrix{};

  Columns(std::size_t rows, std::size_t cols, const std::vector<scs_float>& dense, bool is_upper = false) {
    for (std::size_t j = 0; j < cols; ++j) {
      for (std::size_t r = 0; r < (is_upper ? j + 1 : rows); ++r)
        if (dense[r * cols + j] != 0) {
          x.push_back(dense[r * cols + j]);
          i.push_back(static_cast<scs_int>(r));
        }
      p.push_back(static_cast<scs_int>(x.size()));
    }
    matrix = {x.data(), i.data(), p.data(), static_cast<scs_int>(rows), static_cast<scs_int>(cols)};
  }
};

struct Freed {
  void operator()(ScsLinSysWork* w) const { scs_free_lin_sys_work(w); }
};
using Work = std::unique_ptr<ScsLinSysWork, Freed>;

class Scs : public testing::Test {
 protected:
  static constexpr std::size_t n = 4, m = 5;
  std::vector<scs_float> dense_p{4, 1, 0, 0, 1, 2, 0, 0,
                                 0, 0, 0, 0, 0, 0, 0, 3},  // semidefinite, with an empty column
      dense_a{1, 0, 2, 0, 0, 1, 0, 0, 3, 0, 0, 1, 0, -1, 0, 0, 1, 1, 1, 1};
  std::vector<scs_float> r = std::vector<scs_float>(n + m, scs_float(0.1));
  bool has_p = true;

  Work made() const {
    printed.clear();
    const Columns A(m, n, dense_a), P(n, n, dense_p, true);
    return Work(scs_init_lin_sys_work(&A.matrix, has_p ? &P.matrix : nullptr, r.data()));
  }
  /// [R_x + P  A^T; A  -R_y] x
  std::vector<double> times(const std::vector<scs_float>& x) const {
    std::vector<double> y(n + m, 0);
    for (std::size_t k = 0; k < n + m; ++k) y[k] = double(k < n ? r[k] : -r[k]) * x[k];
    for (std::size_t i = 0; i < n && has_p; ++i)
      for (std::size_t j = 0; j < n; ++j) y[i] += double(dense_p[i * n + j]) * x[j];
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        y[n + i] += double(dense_a[i * n + j]) * x[j];
        y[j] += double(dense_a[i * n + j]) * x[n + i];
      }
    return y;
  }
  /// growth: of entries in the elimination, |a|^2 / r of an entry a of A and a pivot r; 0: the solution is refined
  void expect_solves(ScsLinSysWork* w, double growth) const {
    ASSERT_NE(w, nullptr) << printed;
    std::vector<scs_float> b(n + m), x;
    for (std::size_t k = 0; k < n + m; ++k) b[k] = std::cos(scs_float(k));
    x = b;
    ASSERT_EQ(scs_solve_lin_sys(w, x.data(), nullptr, 0), 0) << printed;
    const std::vector<double> y = times(x);
    double size = 1, largest = 1;
    for (const scs_float value : x) size = std::max(size, std::abs(double(value)));
    for (const scs_float value : dense_a) largest = std::max(largest, std::abs(double(value)));
    const double tolerance = (n + m) * (largest + growth) * std::numeric_limits<scs_float>::epsilon() * size;
    for (std::size_t k = 0; k < n + m; ++k) EXPECT_NEAR(y[k], b[k], tolerance);
  }
};

TEST_F(Scs, SolvesAndTakesOtherDiagonals) {
  for (const bool with_p : {true, false}) {
    has_p = with_p;
    std::fill(r.begin(), r.end(), scs_float(0.1));
    const Work w = made();
    expect_solves(w.get(), 9 / 0.1);
    for (const double scale : {0.02, 5.0}) {
      for (std::size_t k = 0; k < n + m; ++k) r[k] = scs_float(scale * (1 + 0.1 * double(k)));
      ASSERT_EQ(scs_update_lin_sys_diag_r(w.get(), r.data()), 0) << printed;
      expect_solves(w.get(), 9 / scale);
    }
  }
  EXPECT_EQ(printed, "");
  EXPECT_STREQ(scs_get_lin_sys_method(), "sparse-direct-overlapack");
}

TEST_F(Scs, RefinesWhereAPivotWasReplaced) {
  has_p = false;
  dense_a[0] = 1000;  // so that 0.1 eps^2 beside it is no pivot
  r[0] =
      scs_float(0.1) * std::numeric_limits<scs_float>::epsilon() * std::numeric_limits<scs_float>::epsilon();
  std::fill(r.begin() + n, r.end(), scs_float(1));
  const Work w = made();
  expect_solves(w.get(), 0);
}

TEST_F(Scs, SaysThatAProblemIsNotConvex) {
  dense_p[0] = -1000;  // below -|A|^2 / r, so that the matrix has one more negative eigenvalue
  EXPECT_EQ(made(), nullptr);
  EXPECT_NE(printed.find("P is not positive semidefinite"), std::string::npos) << printed;
}

TEST_F(Scs, RefusesWhatIsNotFinite) {
  const Work w = made();
  ASSERT_NE(w, nullptr);
  r[2] = std::numeric_limits<scs_float>::quiet_NaN();
  EXPECT_LT(scs_update_lin_sys_diag_r(w.get(), r.data()), 0);
  EXPECT_NE(printed.find("overlapack, factorisation: "), std::string::npos) << printed;
  EXPECT_EQ(made(), nullptr);
}

}  // namespace

void scs_stand_in_printf(const char* format, ...) {
  char text[1000];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printed += text;
}

/// Column by column, the diagonal last; R_x stands there where P has nothing.
ScsMatrix* SCS(form_kkt)(const ScsMatrix* A, const ScsMatrix* P, scs_float* diag_p, const scs_float* diag_r,
                         scs_int* diag_r_idxs, scs_int upper) {
  EXPECT_EQ(upper, 1);
  const scs_int n = A->n, m = A->m, room = A->p[n] + (P ? P->p[n] : 0) + n + m;
  auto* const K = static_cast<ScsMatrix*>(calloc(1, sizeof(ScsMatrix)));
  *K = {static_cast<scs_float*>(calloc(room, sizeof(scs_float))),
        static_cast<scs_int*>(calloc(room, sizeof(scs_int))),
        static_cast<scs_int*>(calloc(n + m + 1, sizeof(scs_int))), n + m, n + m};
  scs_int at = 0;
  const auto add = [&](scs_int row, scs_float value) { K->i[at] = row, K->x[at++] = value; };
  for (scs_int j = 0; j < n + m; ++j) {
    if (j < n) {
      diag_p[j] = 0;
      for (scs_int k = P ? P->p[j] : 0; P && k < P->p[j + 1]; ++k)
        P->i[k] == j ? void(diag_p[j] = P->x[k]) : add(P->i[k], P->x[k]);
    }
    for (scs_int c = 0; j >= n && c < n; ++c)
      for (scs_int k = A->p[c]; k < A->p[c + 1]; ++k)
        if (A->i[k] == j - n) add(c, A->x[k]);
    diag_r_idxs[j] = at;
    add(j, j < n ? diag_p[j] + diag_r[j] : -diag_r[j]);
    K->p[j + 1] = at;
  }
  return K;
}

ScsMatrix* SCS(cs_spfree)(ScsMatrix* A) {
  if (A) free(A->x), free(A->i), free(A->p);
  free(A);
  return nullptr;
}
