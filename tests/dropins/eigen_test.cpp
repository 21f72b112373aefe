#include "overlapack/eigen.hpp"

#include "bytes_in_use.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <complex>
#include <limits>
#include <random>

/// overlapack::eigen as Eigen's own solvers are used, beside dense solvers of Eigen as the slow twin.
namespace {

using namespace overlapack;

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
T draw(std::mt19937& random) {
  std::uniform_real_distribution<double> part(-1, 1);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(part(random), part(random));
  else
    return T(part(random));
}

/// About `row_entries` entries in each row beside a diagonal that is large enough for a condition number near 10.
template <class M>
M random_matrix(Eigen::Index n, unsigned seed, bool is_self_adjoint, double diagonal = 4) {
  using T = typename M::Scalar;
  std::mt19937 random(seed);
  std::uniform_int_distribution<Eigen::Index> position(0, n - 1);
  std::vector<Eigen::Triplet<T>> entries;
  for (Eigen::Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, T(diagonal * (i % 2 == 0 || diagonal < 5 ? 1 : 1.5)));
    for (int k = 0; k < 3; ++k) {
      const Eigen::Index j = position(random);
      if (i == j) continue;
      const T x = draw<T>(random) * T(0.5);
      entries.emplace_back(i, j, x);
      if (is_self_adjoint) entries.emplace_back(j, i, conjugate(x));
    }
  }
  M A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// |x - y| <= c n eps |y|: both solve a system whose condition number is about 10.
template <class T>
void expect_close(const Dense<T>& x, const Dense<T>& y) {
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  ASSERT_EQ(x.rows(), y.rows());
  ASSERT_EQ(x.cols(), y.cols());
  EXPECT_LE((x - y).norm(), 100 * static_cast<double>(x.rows()) * eps * y.norm());
}

template <class M>
class EigenMatrices : public testing::Test {};
using MatrixTypes = testing::Types<Eigen::SparseMatrix<double>, Eigen::SparseMatrix<float, Eigen::RowMajor>,
                                   Eigen::SparseMatrix<std::complex<double>>,
                                   Eigen::SparseMatrix<std::complex<float>, Eigen::RowMajor, long>>;
TYPED_TEST_SUITE(EigenMatrices, MatrixTypes);

TYPED_TEST(EigenMatrices, LuSolvesAsPartialPivLU) {
  using T = typename TypeParam::Scalar;
  for (const Eigen::Index n : {1, 2, 50}) {
    const auto A = random_matrix<TypeParam>(n, 1, false);
    const Dense<T> B = Dense<T>::Random(n, 3);
    eigen::LU<TypeParam> solver;
    solver.compute(A);
    ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
    const Dense<T> X = solver.solve(B);
    EXPECT_EQ(solver.info(), Eigen::Success);
    expect_close<T>(X, Dense<T>(A).partialPivLu().solve(B));
    const Dense<T> x = solver.solve(B.col(1));
    expect_close<T>(x, X.col(1));
    EXPECT_EQ(solver.factors().report().factorization, "lu");
  }
}

TYPED_TEST(EigenMatrices, LdltReadsOneTriangle) {
  using T = typename TypeParam::Scalar;
  const auto A = random_matrix<TypeParam>(40, 2, true);
  const Dense<T> B = Dense<T>::Random(40, 2);
  const Dense<T> expected = Dense<T>(A).partialPivLu().solve(B);
  const TypeParam lower = A.template triangularView<Eigen::Lower>();
  const TypeParam upper = A.template triangularView<Eigen::Upper>();
  eigen::LDLT<TypeParam> from_lower(lower);
  expect_close<T>(from_lower.solve(B), expected);
  eigen::LDLT<TypeParam, Eigen::Upper> from_upper(upper);
  expect_close<T>(from_upper.solve(B), expected);
  EXPECT_EQ(from_upper.factors().report().factorization, "ldlt");
}

TYPED_TEST(EigenMatrices, SolvesWithTheTransposedAndTheAdjoint) {
  using T = typename TypeParam::Scalar;
  const auto A = random_matrix<TypeParam>(50, 8, false);
  const Dense<T> B = Dense<T>::Random(50, 2), whole(A);
  eigen::LU<TypeParam> lu(A);
  const Dense<T> transposed = lu.transpose().solve(B), adjoint = lu.adjoint().solve(B);
  expect_close<T>(transposed, whole.transpose().partialPivLu().solve(B));
  expect_close<T>(adjoint, whole.adjoint().partialPivLu().solve(B));
  EXPECT_EQ(lu.info(), Eigen::Success);
  const Eigen::SparseMatrix<T> sparse = Dense<T>(B.col(0)).sparseView();
  const Eigen::SparseMatrix<T> x = lu.transpose().solve(sparse);
  expect_close<T>(Dense<T>(x), transposed.col(0));
}

TYPED_TEST(EigenMatrices, HasTheDeterminantsOfEigensSolvers) {
  using T = typename TypeParam::Scalar;
  using std::abs, std::log;
  static_assert(std::is_same_v<typename eigen::LDLT<TypeParam, Eigen::Upper>::MatrixType, TypeParam>);
  static_assert(static_cast<int>(eigen::LDLT<TypeParam, Eigen::Upper>::UpLo) == Eigen::Upper);
  const auto expect_those_of = [](const auto& solver, const Dense<T>& A) {
    const T expected = A.partialPivLu().determinant();
    const auto tolerance = 100 * A.rows() * std::numeric_limits<Real<T>>::epsilon();
    EXPECT_LE(abs(solver.determinant() - expected), tolerance * abs(expected));
    EXPECT_LE(abs(solver.absDeterminant() - abs(expected)), tolerance * abs(expected));
    EXPECT_LE(abs(solver.logAbsDeterminant() - log(abs(expected))), tolerance * 30);
    EXPECT_LE(abs(solver.signDeterminant() - expected / abs(expected)), tolerance);
  };
  const auto A = random_matrix<TypeParam>(21, 9, false);
  expect_those_of(eigen::LU<TypeParam>(A), A);
  const auto H = random_matrix<TypeParam>(21, 10, true, 12);
  expect_those_of(eigen::LDLT<TypeParam>(H), H);
  expect_those_of(eigen::LLT<TypeParam, Eigen::Upper>(H), H);
  TypeParam large = random_matrix<TypeParam>(40, 11, false);
  large *= T(1e9F);  // 1e360 or so: a number of no type here
  const eigen::LU<TypeParam> lu(large);
  EXPECT_TRUE(std::isinf(abs(lu.absDeterminant())) || std::isnan(abs(lu.absDeterminant())));
  EXPECT_TRUE(std::isfinite(abs(lu.logAbsDeterminant())));
  EXPECT_NEAR(abs(lu.signDeterminant()), 1, 1e-5);
}

TYPED_TEST(EigenMatrices, RefactorizesWithTheFirstAnalysis) {
  using T = typename TypeParam::Scalar;
  auto A = random_matrix<TypeParam>(60, 3, false);
  eigen::LU<TypeParam> solver;
  solver.analyzePattern(A);
  const Dense<T> B = Dense<T>::Random(60, 1);
  for (int k = 0; k < 3; ++k) {
    solver.factorize(A);
    ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
    expect_close<T>(solver.solve(B), Dense<T>(A).partialPivLu().solve(B));
    A *= T(1.25);
  }
  const auto other = random_matrix<TypeParam>(60, 4, false);
  solver.factorize(other);  // another pattern needs analyzePattern
  EXPECT_EQ(solver.info(), Eigen::InvalidInput);
  EXPECT_NE(solver.lastErrorMessage().find("other places"), std::string::npos) << solver.lastErrorMessage();
  solver.compute(other);
  expect_close<T>(solver.solve(B), Dense<T>(other).partialPivLu().solve(B));
}

using Matrix = Eigen::SparseMatrix<double>;

TEST(EigenSolver, LltSaysThatAMatrixIsIndefinite) {
  Matrix A = random_matrix<Matrix>(30, 5, true, 12);
  eigen::LLT<Matrix> solver(A);
  EXPECT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  EXPECT_EQ(solver.factors().report().factorization, "cholesky");
  const Dense<double> b = Dense<double>::Random(30, 1);
  expect_close<double>(solver.solve(b), Dense<double>(A).llt().solve(b));
  A.coeffRef(7, 7) = -9;
  solver.compute(A);
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);  // by which programs test for definiteness
  EXPECT_NE(solver.lastErrorMessage().find("positive definite"), std::string::npos);
}

/// Each kind of matrix that is not positive definite has the code that Eigen gives it.
TEST(EigenSolver, LltHasTheCodesOfSimplicialLLT) {
  const auto expect_as_eigen = [](std::initializer_list<std::initializer_list<double>> rows) {
    const Dense<double> dense(rows);
    const Matrix A = dense.sparseView();
    const Eigen::SimplicialLLT<Matrix> theirs(A);
    const eigen::LLT<Matrix> ours(A);
    EXPECT_EQ(ours.info(), theirs.info()) << dense << "\n" << ours.lastErrorMessage();
    EXPECT_TRUE(ours.info() == Eigen::Success || ours.info() == Eigen::NumericalIssue);
  };
  expect_as_eigen({{0, 1}, {1, 0}});
  expect_as_eigen({{1, 2}, {2, 1}});
  expect_as_eigen({{-1}});
  expect_as_eigen({{1, 1}, {1, 1}});
  expect_as_eigen({{0, 0}, {0, 0}});
  expect_as_eigen({{2, 0, 1}, {0, 3, 0}, {1, 0, -4}});
  expect_as_eigen({{2, 1}, {1, 2}});
}

TEST(EigenSolver, LltOfNoNumberIsInvalidInput) {
  Matrix A = random_matrix<Matrix>(5, 12, true, 12);
  A.coeffRef(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(eigen::LLT<Matrix>(A).info(), Eigen::InvalidInput);
}

/// The loop of regularisation as programs write it.
TEST(EigenSolver, ADiagonalThatGrowsMakesALltOfAnIndefiniteMatrix) {
  const Dense<double> swap{{0, 1}, {1, 0}};
  eigen::LLT<Matrix> solver;
  double shift = 0.125;
  for (int k = 0; k < 20; ++k, shift *= 2) {
    solver.compute(Matrix((swap + shift * Dense<double>::Identity(2, 2)).sparseView()));
    if (solver.info() != Eigen::NumericalIssue) break;
  }
  EXPECT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  EXPECT_EQ(shift, 2);
}

/// Conductances with 1e-12 to ground, of condition 2e14: regular, and Eigen's solvers solve it.
template <class Solver>
void expect_solves_weak_ground() {
  const Dense<double> dense{{100 + 1e-12, -100}, {-100, 100 + 1e-12}}, b{{1e-3}, {0}};
  const Solver solver(Matrix(dense.sparseView()));
  const Dense<double> x = solver.solve(b);
  EXPECT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  const double tolerance = 2e14 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(x(0) / 5.02633887e8, 1, tolerance);  // by rational arithmetic
  EXPECT_NEAR(x(1) / 5.02633887e8, 1, tolerance);
}

TEST(EigenSolver, SolvesAWeaklyGroundedCircuit) {
  expect_solves_weak_ground<eigen::LU<Matrix>>();
  expect_solves_weak_ground<eigen::LDLT<Matrix>>();
  expect_solves_weak_ground<eigen::LLT<Matrix>>();
}

/// Inverse iteration shifts by an eigenvalue: the last pivot is rounding, and SparseLU goes on.
TEST(EigenSolver, GoesOnFromRoundingAsSparseLU) {
  const int n = 30;
  Dense<double> dense = Dense<double>::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    dense(i, i) = 2 - (2 - 2 * std::cos(M_PI / (n + 1)));
    if (i > 0) dense(i, i - 1) = dense(i - 1, i) = -1;
  }
  const Matrix A = dense.sparseView();
  const Dense<double> b = Dense<double>::Ones(n, 1);
  const eigen::LU<Matrix> solver(A);
  Dense<double> v = solver.solve(b);
  ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  v /= v.norm();
  EXPECT_LE((dense * v).norm(), 1e-12);  // the vector that inverse iteration is after
}

TEST(EigenSolver, APivotThatIsZeroIsANumericalIssue) {
  const Dense<double> dense{{1, 2}, {2, 4}};
  const eigen::LU<Matrix> solver(Matrix(dense.sparseView()));
  const Dense<double> x = solver.solve(Dense<double>::Ones(2, 1));
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);
  EXPECT_TRUE(x.array().isNaN().all());
  const eigen::LU<Matrix> answers(Matrix(dense.sparseView()), {.singular = SingularMatrix::answer});
  const Dense<double> b{{3}, {6}}, y = answers.solve(b);
  EXPECT_EQ(answers.info(), Eigen::Success) << answers.lastErrorMessage();
  expect_close<double>(dense * y, b);
}

TEST(EigenSolver, ShiftsTheDiagonalAsSimplicialLLT) {
  const Dense<double> swap{{0, 1}, {1, 0}}, b{{1}, {2}};
  const Matrix A = swap.sparseView();  // without a diagonal
  eigen::LLT<Matrix> ours(A);
  Eigen::SimplicialLLT<Matrix> theirs(A);
  for (const double offset : {0.5, 2.0, 4.0, 0.0}) {
    ours.setShift(offset).factorize(A);
    theirs.setShift(offset).factorize(A);
    EXPECT_EQ(ours.info(), theirs.info()) << offset << ": " << ours.lastErrorMessage();
    if (theirs.info() == Eigen::Success) expect_close<double>(ours.solve(b), theirs.solve(b));
  }
  const auto H = random_matrix<Eigen::SparseMatrix<std::complex<double>>>(20, 13, true, 12);
  eigen::LDLT<Eigen::SparseMatrix<std::complex<double>>> scaled;
  scaled.setShift(1.5, 2).compute(H);
  Dense<std::complex<double>> shifted(H);
  for (int i = 0; i < 20; ++i) shifted(i, i) = 1.5 + 2.0 * shifted(i, i);
  const Dense<std::complex<double>> ones = Dense<std::complex<double>>::Ones(20, 1);
  expect_close<std::complex<double>>(scaled.solve(ones), shifted.partialPivLu().solve(ones));
}

TEST(EigenSolver, TakesTheSettingsOfSparseLU) {
  const Matrix A = random_matrix<Matrix>(30, 14, false);
  const Dense<double> b = Dense<double>::Random(30, 1);
  eigen::LU<Matrix> solver;
  solver.isSymmetric(false);
  solver.setPivotThreshold(1.0);
  solver.compute(A);
  expect_close<double>(solver.solve(b), Dense<double>(A).partialPivLu().solve(b));
  EXPECT_EQ(solver.options().sparse.pivot_threshold, 1.0);
  solver.setPivotThreshold(1.5);  // later ones are heard of, too
  solver.factorize(A);
  EXPECT_EQ(solver.info(), Eigen::InvalidInput);
  EXPECT_NE(solver.lastErrorMessage().find("pivot_threshold"), std::string::npos)
      << solver.lastErrorMessage();
}

TEST(EigenSolver, SingularIsANumericalIssueWithASentence) {
  Matrix A = random_matrix<Matrix>(20, 6, false);
  A.prune([](auto, auto col, auto) { return col != 11; });
  eigen::LU<Matrix> solver;
  solver.compute(A);
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);
  EXPECT_NE(solver.lastErrorMessage().find("singular"), std::string::npos) << solver.lastErrorMessage();
  const Dense<double> x = solver.solve(Dense<double>::Ones(20, 1));
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);
  EXPECT_NE(solver.lastErrorMessage().find("singular"), std::string::npos) << solver.lastErrorMessage();
  EXPECT_TRUE(x.array().isNaN().all());  // no answer rather than an old one
  const Dense<double> transposed = solver.transpose().solve(Dense<double>::Ones(20, 1));
  EXPECT_TRUE(transposed.array().isNaN().all());
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);
  EXPECT_THROW(solver.determinant(), Error);
}

TEST(EigenSolver, StepsLeaveMemoryAsItIs) {
  const Matrix A = random_matrix<Matrix>(25, 7, false);
  eigen::LU<Matrix> solver;
  solver.analyzePattern(A);
  const Dense<double> b = Dense<double>::Random(25, 1);
  constexpr long steps = 3000;
  const long left = test::growth_of(steps, [&] {
    solver.factorize(A);
    const Dense<double> x = solver.solve(b);
  });
  EXPECT_LE(left, test::allowed_growth(steps));
}

TEST(EigenSolver, TakesOptionsAndUncompressedMatrices) {
  Matrix A = random_matrix<Matrix>(25, 7, false);
  A.uncompress();
  A.coeffRef(3, 21) = 0.125;
  ASSERT_FALSE(A.isCompressed());
  eigen::LU<Matrix> solver(A, {.sparse = {.ordering = Ordering::amd}});
  EXPECT_EQ(solver.factors().report().ordering, "amd");
  const Dense<double> b = Dense<double>::Random(25, 1);
  expect_close<double>(solver.solve(b), Dense<double>(A).partialPivLu().solve(b));
  const Eigen::SparseVector<double> sparse = Dense<double>(b.col(0)).sparseView();
  const Eigen::SparseMatrix<double> B = sparse;
  const Matrix X = solver.solve(B);
  expect_close<double>(Dense<double>(X), Dense<double>(A).partialPivLu().solve(b));
  solver.options().sparse.pivot_threshold = 7;
  solver.compute(A);
  EXPECT_EQ(solver.info(), Eigen::InvalidInput);
  EXPECT_NE(solver.lastErrorMessage().find("pivot_threshold"), std::string::npos);
}

}  // namespace
