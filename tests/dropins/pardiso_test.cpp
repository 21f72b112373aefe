#include "pardiso.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

/// MKL's PARDISO by its manual; compiled for integers of 32 bits and, with the other library, of 64.
namespace {

using Int = overlapack_pardiso_int;
using Complex = std::complex<double>;

/// A matrix by rows, numbered from `base`: a grid's, made of the kind that an mtype wants.
template <class T>
struct Rows {
  Int n = 0, base = 1;
  std::vector<Int> ia, ja;
  std::vector<T> a;
  bool is_half = false, is_hermitian = false;

  T mirrored(T x) const {
    if constexpr (std::is_same_v<T, Complex>) return is_hermitian ? std::conj(x) : x;
    return x;
  }
  /// op: 0: A, 1: A^H, 2: A^T
  std::vector<T> times(const std::vector<T>& x, int op = 0) const {
    std::vector<T> y(x.size());
    for (Int i = 0; i < n; ++i)
      for (Int k = ia[i] - base; k < ia[i + 1] - base; ++k) {
        const Int j = ja[k] - base;
        T value = a[k];
        if constexpr (std::is_same_v<T, Complex>)
          if (op == 1) value = std::conj(value);
        op == 0 ? y[i] += value * x[j] : y[j] += value * x[i];
        if (is_half && i != j) op == 0 ? y[j] += mirrored(value) * x[i] : y[i] += mirrored(value) * x[j];
      }
    return y;
  }
};

template <class T>
T number(double real, double imaginary) {
  if constexpr (std::is_same_v<T, Complex> || std::is_same_v<T, std::complex<float>>)
    return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(imaginary));
  else
    return static_cast<T>(real);
}

template <class T>
Rows<T> grid(Int mtype, Int side = 7, Int base = 1) {
  const bool is_half = mtype == 2 || mtype == -2 || mtype == 4 || mtype == -4 || mtype == 6;
  Rows<T> A{side * side, base, {base}, {}, {}, is_half, mtype == 4 || mtype == -4};
  const bool is_definite = mtype == 2 || mtype == 4;
  const auto put = [&](Int j, T value) {
    A.ja.push_back(j + base);
    A.a.push_back(value);
  };
  for (Int i = 0; i < A.n; ++i) {
    const Int x = i % side, y = i / side;
    if (!is_half && y > 0) put(i - side, number<T>(-1.5, 0.3));
    if (!is_half && x > 0) put(i - 1, number<T>(-0.5, 0.2));
    const double diagonal = is_definite ? 4.5 : (i % 3 == 0 ? -4.1 : 4.3);
    put(i, number<T>(diagonal, A.is_hermitian ? 0 : 0.7));
    if (x + 1 < side) put(i + 1, number<T>(-1, 0.25));
    if (y + 1 < side) put(i + side, number<T>(-1, -0.5));
    A.ia.push_back(static_cast<Int>(A.ja.size()) + base);
  }
  return A;
}

template <class T>
class Solver {
 public:
  explicit Solver(Int mtype) : mtype_(mtype) { pardisoinit(pt, &mtype, iparm); }
  ~Solver() { call(-1, Rows<T>{}, nullptr, nullptr); }

  Int call(Int phase, const Rows<T>& A, T* b, T* x, Int nrhs = 1) {
    Int error = 77, msglvl = 0;
    iparm[34] = A.base == 0 ? 1 : 0;
    pardiso(pt, &maxfct, &mnum, &mtype_, &phase, &A.n, A.a.data(), A.ia.data(), A.ja.data(), perm.data(),
            &nrhs, iparm, &msglvl, b, x, &error);
    return error;
  }

  void* pt[64];
  Int iparm[64];
  Int maxfct = 1, mnum = 1;
  std::vector<Int> perm;

 private:
  Int mtype_;
};

template <class T>
std::vector<T> truth_of(Int n, Int nrhs = 1) {
  std::vector<T> x(static_cast<std::size_t>(n * nrhs));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = number<T>(1 + static_cast<double>(i % 5), -0.5);
  return x;
}

template <class T>
void expect_near(const std::vector<T>& x, const std::vector<T>& truth, double tolerance = 1e-11) {
  ASSERT_EQ(x.size(), truth.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(std::abs(x[i] - truth[i]), 0, tolerance) << i;
}

template <class T>
void solves(Int mtype, Int base) {
  SCOPED_TRACE(mtype);
  const Rows<T> A = grid<T>(mtype, 7, base);
  Solver<T> solver(mtype);
  const std::vector<T> truth = truth_of<T>(A.n);
  std::vector<T> b = A.times(truth), x(b.size());
  ASSERT_EQ(solver.call(11, A, nullptr, nullptr), 0) << overlapack_pardiso_message();
  ASSERT_EQ(solver.call(22, A, nullptr, nullptr), 0) << overlapack_pardiso_message();
  EXPECT_GE(solver.iparm[17], A.n);
  ASSERT_EQ(solver.call(33, A, b.data(), x.data()), 0) << overlapack_pardiso_message();
  expect_near(x, truth);
  for (const int op : {1, 2}) {
    solver.iparm[11] = op;
    std::vector<T> of_op = A.times(truth, op);
    ASSERT_EQ(solver.call(33, A, of_op.data(), x.data()), 0);
    expect_near(x, truth);
  }
  solver.iparm[11] = 0;
  // its parts, one after the other, are the whole
  std::vector<T> part = b;
  for (const int phase : {331, 332, 333}) {
    ASSERT_EQ(solver.call(phase, A, part.data(), x.data()), 0) << overlapack_pardiso_message();
    part = x;
  }
  expect_near(x, truth, 1e-9);
  std::vector<T> df(b.size()), da(b.size());
  Int error = 1;
  pardiso_getdiag(solver.pt, df.data(), da.data(), &solver.mnum, &error);
  ASSERT_EQ(error, 0) << overlapack_pardiso_message();
  for (Int i = 0; i < A.n; ++i)
    for (Int k = A.ia[i] - base; k < A.ia[i + 1] - base; ++k) {
      if (A.ja[k] - base == i) {
        ASSERT_EQ(da[i], A.a[k]);
      }
    }
  EXPECT_TRUE(std::ranges::none_of(df, [](T d) { return d == T(0); }));
  // other values, in one call each
  Rows<T> twice = A;
  for (T& value : twice.a) value *= 2;
  ASSERT_EQ(solver.call(23, twice, b.data(), x.data()), 0);
  for (T& value : x) value *= 2;
  expect_near(x, truth);
  ASSERT_EQ(solver.call(13, A, b.data(), x.data()), 0);
  expect_near(x, truth);
}

TEST(Pardiso, EveryTypeAndPhase) {
  for (const Int base : {0, 1}) {
    for (const Int mtype : {1, 2, -2, 11}) solves<double>(mtype, base);
    for (const Int mtype : {3, 4, -4, 6, 13}) solves<Complex>(mtype, base);
  }
}

TEST(Pardiso, InSinglePrecision) {
  const Rows<double> A = grid<double>(11);
  Rows<float> single{A.n, A.base, A.ia, A.ja, {A.a.begin(), A.a.end()}};
  Solver<float> solver(11);
  solver.iparm[27] = 1;
  const std::vector<float> truth = truth_of<float>(A.n);
  std::vector<float> b = single.times(truth), x(b.size());
  ASSERT_EQ(solver.call(13, single, b.data(), x.data()), 0) << overlapack_pardiso_message();
  expect_near(x, truth, 1e-3);
  solver.iparm[27] = 0;  // another precision than that of the analysis
  EXPECT_EQ(solver.call(33, single, b.data(), x.data()), -1);
}

TEST(Pardiso, SeveralRightHandSidesAndTheSolutionInB) {
  const Rows<double> A = grid<double>(-2);
  Solver<double> solver(-2);
  const std::vector<double> truth = truth_of<double>(A.n, 3);
  std::vector<double> b;
  for (int j = 0; j < 3; ++j) {
    const auto column = A.times({truth.begin() + j * A.n, truth.begin() + (j + 1) * A.n});
    b.insert(b.end(), column.begin(), column.end());
  }
  const std::vector<double> before = b;
  std::vector<double> x(b.size());
  ASSERT_EQ(solver.call(13, A, b.data(), x.data(), 3), 0);
  expect_near(x, truth);
  EXPECT_EQ(b, before);
  solver.iparm[5] = 1;
  ASSERT_EQ(solver.call(33, A, b.data(), nullptr, 3), 0) << overlapack_pardiso_message();
  expect_near(b, truth);
}

TEST(Pardiso, TellsInertiaAndFillsDefaults) {
  const Rows<double> A = grid<double>(-2);
  Solver<double> solver(-2);
  std::fill_n(solver.iparm, 64, 0);  // iparm[0] = 0: all others are set
  ASSERT_EQ(solver.call(12, A, nullptr, nullptr), 0);
  EXPECT_EQ(solver.iparm[0], 1);
  EXPECT_EQ(solver.iparm[1], 2);
  EXPECT_EQ(solver.iparm[9], 8);
  EXPECT_EQ(solver.iparm[21] + solver.iparm[22], A.n);
  EXPECT_GT(solver.iparm[21], 0);
  EXPECT_GT(solver.iparm[22], 0);
}

TEST(Pardiso, TakesTheCallersOrder) {
  const Rows<double> A = grid<double>(2);
  Solver<double> solver(2);
  solver.iparm[4] = 1;
  solver.perm.resize(static_cast<std::size_t>(A.n));
  std::iota(solver.perm.begin(), solver.perm.end(), 1);  // by rows of the grid: a band
  std::vector<double> b = A.times(truth_of<double>(A.n)), x(b.size());
  ASSERT_EQ(solver.call(13, A, b.data(), x.data()), 0) << overlapack_pardiso_message();
  expect_near(x, truth_of<double>(A.n));
  const Int of_band = solver.iparm[17];
  std::ranges::reverse(solver.perm);
  ASSERT_EQ(solver.call(13, A, b.data(), x.data()), 0);
  EXPECT_EQ(solver.iparm[17], of_band);
  for (Int i = 0; i < A.n; ++i) solver.perm[i] = (i * 10) % A.n + 1;  // 49 and 10 have no common factor
  ASSERT_EQ(solver.call(13, A, b.data(), x.data()), 0);
  EXPECT_GT(solver.iparm[17], of_band);
  solver.perm[3] = solver.perm[4];
  EXPECT_EQ(solver.call(13, A, b.data(), x.data()), -1);
  EXPECT_NE(std::string(overlapack_pardiso_message()).find("perm"), std::string::npos);
}

TEST(Pardiso, GivesItsOrder) {
  for (const Int mtype : {11, 2, -2}) {
    const Rows<double> A = grid<double>(mtype);
    Solver<double> solver(mtype);
    std::vector<double> b = A.times(truth_of<double>(A.n)), x(b.size());
    solver.iparm[4] = 2;
    solver.perm.assign(static_cast<std::size_t>(A.n), -1);
    ASSERT_EQ(solver.call(12, A, nullptr, nullptr), 0) << overlapack_pardiso_message();
    const Int entries = solver.iparm[17];
    std::vector<Int> places = solver.perm;
    std::ranges::sort(places);
    for (Int i = 0; i < A.n; ++i) ASSERT_EQ(places[static_cast<std::size_t>(i)], i + 1);
    solver.iparm[4] = 1;  // handed back, it is taken
    ASSERT_EQ(solver.call(13, A, b.data(), x.data()), 0) << overlapack_pardiso_message();
    expect_near(x, truth_of<double>(A.n));
    if (mtype != 11) {
      EXPECT_EQ(solver.iparm[17], entries);
    }
  }
}

TEST(Pardiso, GivesItsOrderBeforeThereAreValues) {
  for (const Int mtype : {2, -2, 4, -4, 6, 11}) {
    SCOPED_TRACE(mtype);
    const auto gives = [mtype]<class T>(T) {
      const Rows<T> A = grid<T>(mtype);
      Solver<T> solver(mtype);
      solver.iparm[4] = 2;
      solver.iparm[10] = solver.iparm[12] = 0;
      solver.perm.assign(static_cast<std::size_t>(A.n), -1);
      Rows<T> pattern = A;
      std::ranges::fill(pattern.a, T(std::numeric_limits<double>::quiet_NaN()));
      ASSERT_EQ(solver.call(11, pattern, nullptr, nullptr), 0) << overlapack_pardiso_message();
      EXPECT_GE(solver.iparm[17], A.n);
      const std::vector<Int> of_pattern = solver.perm;
      std::vector<Int> places = of_pattern;
      std::ranges::sort(places);
      for (Int i = 0; i < A.n; ++i) ASSERT_EQ(places[static_cast<std::size_t>(i)], i + 1);
      std::vector<T> b = A.times(truth_of<T>(A.n)), x(b.size());
      ASSERT_EQ(solver.call(23, A, b.data(), x.data()), 0) << overlapack_pardiso_message();
      expect_near(x, truth_of<T>(A.n));
      EXPECT_EQ(solver.perm, of_pattern);
    };
    if (mtype == 4 || mtype == -4 || mtype == 6)
      gives(Complex());
    else
      gives(double());
  }
}

TEST(Pardiso, TakesFiniteNumbersWhoseModuliAreNot) {
  Rows<Complex> A{1, 1, {1, 2}, {1}, {Complex(1.5e308, 1.5e308)}, false, false};
  Solver<Complex> solver(13);
  std::vector<Complex> b{A.a[0]}, x(1);
  EXPECT_NE(solver.call(13, A, b.data(), x.data()), -1) << overlapack_pardiso_message();
}

TEST(Pardiso, SeveralMatricesOfAPattern) {
  const Rows<double> A = grid<double>(11);
  Solver<double> solver(11);
  solver.maxfct = 3;
  std::vector<double> b = A.times(truth_of<double>(A.n)), x(b.size());
  ASSERT_EQ(solver.call(11, A, nullptr, nullptr), 0);
  for (Int m = 1; m <= 3; ++m) {
    Rows<double> scaled = A;
    for (double& value : scaled.a) value *= m;
    solver.mnum = m;
    ASSERT_EQ(solver.call(22, scaled, nullptr, nullptr), 0);
  }
  for (Int m = 3; m >= 1; --m) {
    solver.mnum = m;
    ASSERT_EQ(solver.call(33, A, b.data(), x.data()), 0);
    for (double& value : x) value *= m;
    expect_near(x, truth_of<double>(A.n));
  }
  solver.mnum = 2;
  ASSERT_EQ(solver.call(0, A, nullptr, nullptr), 0);
  EXPECT_EQ(solver.call(33, A, b.data(), x.data()), -1);  // released
  solver.mnum = 1;
  EXPECT_EQ(solver.call(33, A, b.data(), x.data()), 0);
  solver.mnum = 4;
  EXPECT_EQ(solver.call(33, A, b.data(), x.data()), -1);  // above maxfct
}

TEST(Pardiso, BadInputHasMklsCodes) {
  const Rows<double> A = grid<double>(11);
  std::vector<double> b(static_cast<std::size_t>(A.n), 1), x(b.size());
  std::string message;
  const auto code = [&](const Rows<double>& matrix, auto&& change, Int phase = 13, Int mtype = 11) {
    Solver<double> solver(mtype);
    change(solver);
    const Int error = solver.call(phase, matrix, b.data(), x.data());
    message = overlapack_pardiso_message();  // before the handle is released
    return error;
  };
  const auto as_it_is = [](Solver<double>&) {};
  EXPECT_EQ(code(A, as_it_is), 0);
  EXPECT_EQ(code(A, as_it_is, 22), -1);  // nothing was analysed
  EXPECT_EQ(code(A, as_it_is, 33), -1);
  EXPECT_EQ(code(A, as_it_is, 44), -1);
  EXPECT_EQ(code(A, as_it_is, 13, 5), -1);
  EXPECT_EQ(code(A, [](auto& s) { s.iparm[35] = 1; }), -1);
  EXPECT_NE(message.find("Schur"), std::string::npos);
  EXPECT_EQ(code(A, [](auto& s) { s.iparm[36] = 2; }), -1);
  EXPECT_EQ(code(A, [](auto& s) { s.iparm[4] = 2; }), -1);  // perm is a null pointer
  EXPECT_EQ(code(A, [](auto& s) { s.mnum = 0; }), -1);
  Rows<double> bad = A;
  bad.ja[5] = A.n + 1;
  EXPECT_EQ(code(bad, as_it_is), -1);
  bad = A;
  bad.ia[3] = bad.ia[2] - 1;
  EXPECT_EQ(code(bad, as_it_is), -1);
  bad = A;
  bad.n = 0;
  EXPECT_EQ(code(bad, as_it_is), -1);
  bad = A;
  bad.a[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(bad, as_it_is), -1);
  bad = A;
  std::swap(bad.ja[1], bad.ja[2]);
  std::swap(bad.a[1], bad.a[2]);
  EXPECT_EQ(code(bad, as_it_is), 0);
  EXPECT_EQ(code(bad, [](auto& s) { s.iparm[26] = 1; }), -1);  // the checker wants columns that ascend
  bad = A;
  bad.ja[2] = bad.ja[1];
  EXPECT_EQ(code(bad, [](auto& s) { s.iparm[26] = 1; }), -1);  // and none twice
  EXPECT_EQ(code(A, as_it_is, 13, 2), -1);                     // a symmetric type wants the upper triangle
  const Rows<double> indefinite = grid<double>(-2);
  EXPECT_EQ(code(indefinite, as_it_is, 13, 2), -4);  // no positive pivots
  b[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(A, as_it_is), -1);
}

TEST(Pardiso, HandlesAreNotConfused) {
  const Rows<double> A = grid<double>(11);
  std::vector<double> b(static_cast<std::size_t>(A.n), 1), x(b.size());
  Solver<double> solver(11);
  int other = 0;
  solver.pt[0] = &other;  // nothing of this library's
  EXPECT_EQ(solver.call(13, A, b.data(), x.data()), -1);
  solver.pt[0] = nullptr;
  EXPECT_EQ(solver.call(13, A, b.data(), x.data()), 0);
  void* const before = solver.pt[0];
  EXPECT_EQ(solver.call(-1, A, nullptr, nullptr), 0);
  EXPECT_EQ(solver.pt[0], nullptr);
  EXPECT_EQ(solver.call(-1, A, nullptr, nullptr), 0);  // twice
  solver.pt[0] = before;                               // what was released
  EXPECT_EQ(solver.call(33, A, b.data(), x.data()), -1);
  solver.pt[0] = nullptr;
  EXPECT_EQ(solver.call(11, A, nullptr, nullptr), 0);
  EXPECT_EQ(solver.call(33, A, b.data(), x.data()), -1);  // analysed, not factorised
  Rows<double> larger = grid<double>(11, 8);
  EXPECT_EQ(solver.call(22, larger, nullptr, nullptr), -1);
}

TEST(Pardiso, SingularMatricesAnswerOrSaySo) {
  Rows<double> A = grid<double>(11);
  std::vector<double> b(static_cast<std::size_t>(A.n), 1), x(b.size());
  for (Int k = A.ia[5] - 1; k < A.ia[6] - 1; ++k) A.a[k] = 0;  // a row of zeros
  Solver<double> solver(11);
  EXPECT_EQ(solver.call(13, A, b.data(), x.data()), -4) << overlapack_pardiso_message();
}

TEST(Pardiso, FromSeveralThreads) {
  std::vector<std::thread> threads;
  std::array<double, 4> worst{};
  for (std::size_t t = 0; t < worst.size(); ++t)
    threads.emplace_back([&, t] {
      const Rows<double> A = grid<double>(11, static_cast<Int>(6 + t));
      Solver<double> solver(11);
      const std::vector<double> truth = truth_of<double>(A.n);
      std::vector<double> b = A.times(truth), x(b.size());
      for (int again = 0; again < 20; ++again) {
        if (solver.call(13, A, b.data(), x.data()) != 0) worst[t] = 1;
        for (std::size_t i = 0; i < x.size(); ++i) worst[t] = std::max(worst[t], std::abs(x[i] - truth[i]));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const double error : worst) EXPECT_LE(error, 1e-11);
}

TEST(Pardiso, OtherIntegersUnderAnotherName) {
  const Rows<double> A = grid<double>(11);
  const std::vector<long long> ia(A.ia.begin(), A.ia.end()), ja(A.ja.begin(), A.ja.end());
  void* pt[64] = {};
  long long iparm[64] = {}, one = 1, mtype = 11, phase = 13, n = A.n, none = 0, error = 7;
  const std::vector<double> truth = truth_of<double>(A.n);
  std::vector<double> b = A.times(truth), x(b.size());
  pardiso_64(pt, &one, &one, &mtype, &phase, &n, A.a.data(), ia.data(), ja.data(), nullptr, &one, iparm,
             &none, b.data(), x.data(), &error);
  EXPECT_EQ(error, 0) << overlapack_pardiso_message();
  expect_near(x, truth);
  phase = -1;
  pardiso_64(pt, &one, &one, &mtype, &phase, &n, nullptr, nullptr, nullptr, nullptr, &one, iparm, &none,
             nullptr, nullptr, &error);
  EXPECT_EQ(error, 0);
}

extern "C" decltype(pardiso) pardiso_, PARDISO;

TEST(Pardiso, HasFortransNames) {
  EXPECT_EQ(reinterpret_cast<void*>(&pardiso_), reinterpret_cast<void*>(&pardiso));
  EXPECT_EQ(reinterpret_cast<void*>(&PARDISO), reinterpret_cast<void*>(&pardiso));
}

TEST(Pardiso, WhatIsNotHereIsRefused) {
  void* pt[64] = {};
  Int error = 0;
  pardiso_handle_store(pt, ".", &error);
  EXPECT_EQ(error, -1);
  EXPECT_NE(std::string(overlapack_pardiso_message()).find("pardiso_handle_store"), std::string::npos);
  pardiso_export(pt, nullptr, nullptr, nullptr, nullptr, nullptr, &error);
  EXPECT_EQ(error, -1);
}

}  // namespace
