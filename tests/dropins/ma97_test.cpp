#include "ma97.h"

#include "bytes_in_use.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <string>
#include <vector>

/// HSL_MA97's calls as its documentation has them; what Ipopt does with them is in ipopt_program.cpp.
namespace {

/// A = (2 1 0 | 1; 1 -3 2 | 0; 0 2 4 | 0; 1 0 0 | 0): the lower triangle by columns, numbers from `base`.
struct Small {
  int base = 0;
  std::vector<int> ptr{0, 3, 5, 6, 7}, row{0, 1, 3, 1, 2, 2, 3};
  std::vector<double> val{2, 1, 1, -3, 2, 4, 0};

  explicit Small(int first = 0) : base(first) {
    for (int& k : ptr) k += base;
    for (int& k : row) k += base;
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(4);
    for (int j = 0; j < 4; ++j)
      for (int p = ptr[j] - base; p < ptr[j + 1] - base; ++p) {
        const int i = row[p] - base;
        y[i] += val[p] * x[j];
        if (i != j) y[j] += val[p] * x[i];
      }
    return y;
  }
};

class Ma97 : public testing::Test {
 protected:
  Ma97() { ma97_default_control_d(&control); }
  ~Ma97() override { ma97_finalise_d(&akeep, &fkeep); }
  void analyse(const Small& A, int order[] = nullptr) {
    control.f_arrays = A.base;
    ma97_analyse_d(1, 4, A.ptr.data(), A.row.data(), nullptr, &akeep, &control, &info, order);
  }
  void factor(const Small& A, int type = 4) {
    ma97_factor_d(type, A.ptr.data(), A.row.data(), A.val.data(), &akeep, &fkeep, &control, &info, nullptr);
  }
  /// ||x - truth|| <= c n eps ||truth|| with a condition number of about 10
  void expect_solves(const Small& A) {
    const std::vector<double> truth{1, -2, 3, 0.5, 4, 5, 6, 7};
    std::vector<double> X(10);
    for (int j = 0; j < 2; ++j) {
      const auto b = A.times({truth.begin() + 4 * j, truth.begin() + 4 * j + 4});
      std::copy(b.begin(), b.end(), X.begin() + 5 * j);
    }
    ma97_solve_d(0, 2, X.data(), 5, &akeep, &fkeep, &control, &info);
    EXPECT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(X[5 * j + i], truth[4 * j + i], 1e-13);
    EXPECT_EQ(info.num_neg, 2);  // callers look after the solve
  }

  ma97_control_d control;
  ma97_info_d info;
  void* akeep = nullptr;
  void* fkeep = nullptr;
};

TEST_F(Ma97, FactorizesAndSolvesWithEachNumbering) {
  for (const int base : {0, 1}) {
    const Small A(base);
    analyse(A);
    ASSERT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
    factor(A);
    ASSERT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
    EXPECT_EQ(info.num_neg, 2);
    EXPECT_EQ(info.matrix_rank, 4);
    EXPECT_GE(info.num_factor, 7);
    expect_solves(A);
    ma97_finalise_d(&akeep, &fkeep);
  }
}

TEST_F(Ma97, TakesOrderingsAndRefusesUnknownOnes) {
  const Small A;
  int order[] = {3, 1, 0, 2};  // variable i is order[i]-th
  for (const int ordering : {0, 1, 3, 5, 7, 8}) {
    control.ordering = ordering;
    analyse(A, order);
    ASSERT_EQ(info.flag, MA97_OK) << ordering << overlapack_ma97_message();
    factor(A);
    expect_solves(A);
    ma97_finalise_d(&akeep, &fkeep);
  }
  control.ordering = 0;
  for (const int wrong : {4, -1, 0}) {  // 0 is taken
    order[0] = wrong;
    analyse(A, order);
    EXPECT_EQ(info.flag, MA97_BAD_ORDERING);
    EXPECT_NE(std::string(overlapack_ma97_message()).find("order gives variable"), std::string::npos);
  }
  control.ordering = 4;
  analyse(A);
  EXPECT_EQ(info.flag, MA97_BAD_ORDERING);
  EXPECT_NE(std::string(overlapack_ma97_message()).find("ordering is 4"), std::string::npos);
}

TEST_F(Ma97, OtherValuesThresholdsAndScalings) {
  Small A;
  analyse(A);
  for (int step = 0; step < 4; ++step) {
    factor(A);
    ASSERT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
    expect_solves(A);
    for (double& x : A.val) x *= 1.5;
    if (step == 1) control.u = 0.3;
    if (step == 2) control.scaling = 1;
  }
}

/// A X = B by the parts of a solve: job 1, then the others in turn.
std::vector<double> by_parts(const std::vector<double>& b, std::initializer_list<int> jobs, void** akeep,
                             void** fkeep, const ma97_control_d& control, ma97_info_d& info) {
  std::vector<double> x = b;
  for (const int job : jobs) {
    ma97_solve_d(job, 2, x.data(), 5, akeep, fkeep, &control, &info);
    EXPECT_EQ(info.flag, MA97_OK) << job << ": " << overlapack_ma97_message();
  }
  return x;
}

TEST_F(Ma97, PartsOfASolve) {
  Small A;
  analyse(A);
  for (int step = 0; step < 2; ++step) {  // the parts are those of the last values
    factor(A);
    const std::vector<double> b{1, -2, 3, 0.5, 0, 4, 5, 6, 7, 0};
    const auto x = by_parts(b, {0}, &akeep, &fkeep, control, info);
    const auto three = by_parts(b, {1, 2, 3}, &akeep, &fkeep, control, info);
    const auto two = by_parts(b, {1, 4}, &akeep, &fkeep, control, info);
    const auto y = by_parts(b, {1}, &akeep, &fkeep, control, info),
               z = by_parts(b, {1, 2}, &akeep, &fkeep, control, info);
    double of_a = 0, of_d = 0;  // b^T A^-1 b = y^T D^-1 y
    for (int i = 0; i < 10; ++i) {
      EXPECT_NEAR(three[i], x[i], 1e-13) << i;
      EXPECT_NEAR(two[i], x[i], 1e-13) << i;
      of_a += b[i] * x[i];
      of_d += y[i] * z[i];
    }
    EXPECT_NEAR(of_d, of_a, 1e-12);
    for (double& value : A.val) value *= -1.5;
  }
}

TEST_F(Ma97, PartsOfASolveOfADefiniteMatrix) {
  Small A;
  A.val = {4, 1, 1, 3, 2, 4, 5};
  analyse(A);
  factor(A, 3);
  ASSERT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
  const std::vector<double> b{1, -2, 3, 0.5, 0, 4, 5, 6, 7, 0};
  const auto x = by_parts(b, {0}, &akeep, &fkeep, control, info),
             two = by_parts(b, {1, 3}, &akeep, &fkeep, control, info);
  const auto y = by_parts(b, {1}, &akeep, &fkeep, control, info);
  double of_a = 0, of_l = 0;  // b^T A^-1 b = y^T y
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(two[i], x[i], 1e-13) << i;
    of_a += b[i] * x[i];
    of_l += y[i] * y[i];
  }
  EXPECT_NEAR(of_l, of_a, 1e-12);
  for (const int job : {2, 4}) {
    std::vector<double> same = b;
    ma97_solve_d(job, 2, same.data(), 5, &akeep, &fkeep, &control, &info);
    EXPECT_EQ(info.flag, MA97_BAD_JOB);
    EXPECT_EQ(same, b);
  }
}

TEST_F(Ma97, ASingularMatrixHasNoParts) {
  Small A;
  A.val = {1, 0, 1, 1, 0, 1, 1};  // equations 1 and 4 are the same
  analyse(A);
  factor(A);
  ASSERT_EQ(info.flag, MA97_RANK_DEFICIENT) << overlapack_ma97_message();
  std::vector<double> x(4, 1.0);
  ma97_solve_d(1, 1, x.data(), 4, &akeep, &fkeep, &control, &info);
  EXPECT_EQ(info.flag, MA97_SINGULAR);
  EXPECT_NE(std::string(overlapack_ma97_message()).find("singular"), std::string::npos);
}

TEST_F(Ma97, StepsOfAnInteriorPointLeaveMemoryAsItIs) {
  Small A;
  analyse(A);
  control.scaling = 1;
  std::vector<double> x(4);
  constexpr long steps = 3000;
  const long left = overlapack::test::growth_of(steps, [&] {
    for (double& value : A.val) value = -value;
    factor(A);
    x = A.times({1, -2, 3, 0.5});
    ma97_solve_d(0, 1, x.data(), 4, &akeep, &fkeep, &control, &info);
  });
  EXPECT_LE(left, overlapack::test::allowed_growth(steps));
}

TEST_F(Ma97, DoesNotTrap) {
  const Small A;  // a zero is stored on its diagonal
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  control.ordering = 8;  // with a matching
  analyse(A);
  factor(A);
  const int traps = fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(traps, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
  expect_solves(A);
}

TEST_F(Ma97, FactorizesAndSolvesInOneCall) {
  Small A;
  analyse(A);
  control.scaling = 1;
  std::vector<double> scale(4, 7.0), x = A.times({1, -2, 3, 0.5});
  const auto solve_once = [&](int type) {
    ma97_factor_solve_d(type, A.ptr.data(), A.row.data(), A.val.data(), 1, x.data(), 4, &akeep, &fkeep,
                        &control, &info, scale.data());
  };
  solve_once(4);
  ASSERT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
  EXPECT_NEAR(x[1], -2, 1e-13);
  EXPECT_NEAR(x[3], 0.5, 1e-13);
  EXPECT_EQ(scale, std::vector<double>(4, 1.0));
  const std::vector<double> before = x;
  solve_once(2);
  EXPECT_EQ(info.flag, MA97_BAD_MATRIX_TYPE);
  EXPECT_EQ(x, before);  // no solve after a factorisation that failed
}

TEST_F(Ma97, SingularMatrices) {
  Small A;
  A.val = {2, 1, 0, -3, 2, 4, 0};  // the last row and column are zero
  analyse(A);
  control.action = 0;
  factor(A);
  EXPECT_EQ(info.flag, MA97_SINGULAR);
  EXPECT_NE(std::string(overlapack_ma97_message()).find("singular"), std::string::npos);
  std::vector<double> x(4, 1);
  ma97_solve_d(0, 1, x.data(), 4, &akeep, &fkeep, &control, &info);
  EXPECT_EQ(info.flag, MA97_CALL_SEQUENCE);
  control.action = 1;
  factor(A);
  EXPECT_EQ(info.flag, MA97_RANK_DEFICIENT);
  EXPECT_EQ(info.matrix_rank, 3);
}

TEST_F(Ma97, DefiniteMatrices) {
  Small A;
  analyse(A);
  factor(A, 3);
  EXPECT_EQ(info.flag, MA97_NOT_POSITIVE_DEFINITE);
  A.val = {4, 1, 1, 5, 2, 4, 3};
  factor(A, 3);
  EXPECT_EQ(info.flag, MA97_OK) << overlapack_ma97_message();
  EXPECT_EQ(info.num_neg, 0);
}

TEST_F(Ma97, RefusesWhatItHasNot) {
  const Small A;
  factor(A);
  EXPECT_EQ(info.flag, MA97_CALL_SEQUENCE);
  Small upper;
  upper.row[1] = 9;
  analyse(upper);
  EXPECT_EQ(info.flag, MA97_BAD_PTR);
  Small unordered;
  std::swap(unordered.ptr[1], unordered.ptr[2]);
  analyse(unordered);
  EXPECT_EQ(info.flag, MA97_BAD_PTR);
  Small late;  // its values would be taken for those one place before
  ++late.ptr[0];
  analyse(late);
  EXPECT_EQ(info.flag, MA97_BAD_PTR);
  analyse(A);
  factor(A, -4);
  EXPECT_EQ(info.flag, MA97_BAD_MATRIX_TYPE);
  factor(A);
  std::vector<double> x(4, 1);
  ma97_solve_d(5, 1, x.data(), 4, &akeep, &fkeep, &control, &info);
  EXPECT_EQ(info.flag, MA97_BAD_JOB);
  ma97_solve_d(0, 1, x.data(), 3, &akeep, &fkeep, &control, &info);
  EXPECT_EQ(info.flag, MA97_BAD_SIZE_OF_X);
  Small bad;
  bad.val[3] = std::nan("");
  factor(bad);
  EXPECT_EQ(info.flag, MA97_BAD_VALUE);
}

}  // namespace
