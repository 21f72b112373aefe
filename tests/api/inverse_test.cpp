#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/triplets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <numeric>
#include <variant>

/// What Factorization tells of the inverse and of its parts, against solves.
namespace overlapack {
namespace {

void expect_refused(Status kind, const std::string& words, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.status()), to_string(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

/// Row j has its largest entry beside the diagonal, on which there is none; unsymmetric.
SparseMatrix<double> hollow(Index n) {
  Random random(5);
  Triplets<double> entries{n, n, {}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    entries.add((j + 1) % n, j, 5 + random_value<double>(random));
    entries.add((j + n - 2) % n, j, random_value<double>(random));
    entries.add((j + n / 2) % n, j, random_value<double>(random));
  }
  return sparse::compress(entries).matrix;
}

/// The columns of A^{-1}, by solves.
std::vector<double> inverse_by_solves(Factorization<double>& factors, Index n) {
  std::vector<double> identity(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) identity[static_cast<std::size_t>(i + i * n)] = 1;
  return factors.solve(identity, n).x;
}

TEST(InverseOfFactors, SelectedAndDiagonalOfEachMethodAndNumberOfRanks) {
  const auto cube = sparse::generate("cube", 6);
  for (const SparseMatrix<double>& A : {cube, hollow(150)})
    for (const Method method : {Method::multifrontal, Method::supernodal, Method::block_triangular})
      for (const int ranks : {1, 3}) {
        auto factors = factorize(A, {.method = method, .ranks = ranks});
        const auto all = inverse_by_solves(factors, A.rows);
        const SparseMatrix<double> Z = factors.selected_inverse();
        ASSERT_EQ(Z.rows, A.rows);
        ASSERT_EQ(Z.nnz(), A.nnz() + (A.symmetry == Symmetry::general && A.nnz() == 3 * A.rows ? A.rows : 0));
        for (Index j = 0; j < Z.cols; ++j)
          for (Index k = Z.start[j]; k < Z.start[j + 1]; ++k)
            EXPECT_NEAR(Z.value[k], all[static_cast<std::size_t>(Z.row[k] + j * A.rows)], 1e-13)
                << to_string(method);
        const auto diagonal = factors.inverse_diagonal();
        for (Index i = 0; i < A.rows; ++i)
          EXPECT_NEAR(diagonal[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + i * A.rows)],
                      1e-13);
      }
}

/// The inverse has the matrix's symmetry, to the last bit: files of Matrix Market have one triangle of it.
template <class T>
void expect_symmetry_of_the_inverse(const SparseMatrix<T>& A, Symmetry symmetry) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "overlapack_inverse_test.mtx";
  for (const int ranks : {1, 3}) {
    auto factors = factorize(A, {.ranks = ranks});
    const SparseMatrix<T> Z = factors.selected_inverse();
    EXPECT_EQ(Z.symmetry, symmetry);
    EXPECT_TRUE(sparse::has_symmetry(Z, symmetry));
    io::write_matrix_market(path, Z);
    const auto read = std::get<SparseMatrix<T>>(io::read_matrix(path).matrix);
    const std::vector<T> ones(static_cast<std::size_t>(A.rows), T(1));
    EXPECT_EQ(multiply<T>(read, ones), multiply<T>(Z, ones));  // a file of a skew matrix has no diagonal
  }
  std::filesystem::remove(path);
}

TEST(InverseOfFactors, HasTheSymmetryOfTheMatrix) {
  expect_symmetry_of_the_inverse(sparse::generate("cube", 6), Symmetry::symmetric);
  Triplets<std::complex<double>> hermitian{40, 40, {}, {}, {}}, skew{40, 40, {}, {}, {}};
  for (Index j = 0; j < 40; ++j) {
    const std::complex<double> x(1, 0.5 + 0.01 * double(j));
    hermitian.add(j, j, 5);
    if (j + 3 < 40) hermitian.add(j + 3, j, x), hermitian.add(j, j + 3, std::conj(x));
    if (j + 1 < 40) skew.add(j + 1, j, x), skew.add(j, j + 1, -x);
    if (j + 7 < 40) skew.add(j + 7, j, 0.25 * x), skew.add(j, j + 7, -0.25 * x);
  }
  expect_symmetry_of_the_inverse(sparse::compress(hermitian).matrix, Symmetry::hermitian);
  expect_symmetry_of_the_inverse(sparse::compress(skew).matrix, Symmetry::skew);
}

TEST(InverseOfFactors, OneUnknown) {
  auto factors = factorize(SparseMatrix<double>{1, 1, {0, 1}, {0}, {4.0}});
  EXPECT_EQ(factors.inverse_diagonal(), std::vector<double>{0.25});
  EXPECT_EQ(factors.selected_inverse().value, std::vector<double>{0.25});
  EXPECT_EQ(factors.symmetric_factors().D.value, std::vector<double>{4.0});
  EXPECT_TRUE(factors.inverse_entries({}, {}).empty());
}

TEST(InverseOfFactors, NoPatternWhereNoRankHasTheMatrix) {
  const auto A = sparse::generate("cube", 3);
  std::vector<Triplets<double>> parts{triplets_of(A)};
  auto factors = factorize_distributed(parts, {.ranks = 1});
  expect_refused(Status::bad_plan, "inverse_diagonal", [&] { factors.selected_inverse(); });
  expect_refused(Status::bad_plan, "rank 0", [&] { factors.symmetric_factors(); });
  EXPECT_EQ(factors.inverse_diagonal().size(), static_cast<std::size_t>(A.rows));
}

TEST(HalfOfFactors, RefusesWhatHasNone) {
  auto general = factorize(hollow(20));
  expect_refused(Status::bad_plan, "triangular_factors", [&] { general.half(); });
  auto A = sparse::generate("cube", 3);
  const auto half = factorize(A).half();
  std::vector<double> x(static_cast<std::size_t>(A.rows), 1.0);
  expect_refused(Status::bad_input, "entries", [&] { half.solve_l(std::span<double>(x).first(3)); });
  for (auto& value : A.value) value = -value;
  const auto negative = factorize(A, {.factorization = FactorKind::ldlt}).half();
  expect_refused(Status::bad_input, "not positive definite", [&] { negative.multiply(x); });
}

TEST(HalfOfFactors, ThreePartsAreASolve) {
  const auto A = sparse::generate("saddle", 6);
  auto factors = factorize(A);
  const auto half = factors.half();
  std::vector<double> b(static_cast<std::size_t>(A.rows));
  std::iota(b.begin(), b.end(), 1.0);
  auto x = b;
  half.solve_l(x);
  half.solve_d(x);
  half.solve_lt(x);
  auto at_once = b;
  std::vector<double> room(b.size());
  half.substitute(at_once, 1, room);
  EXPECT_EQ(at_once, x);
  expect_refused(Status::bad_input, "entries",
                 [&] { half.substitute(at_once, 1, std::span<double>(room).first(1)); });
  const auto expected = factors.solve(b).x;
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], 1e-8 * std::abs(expected[i]) + 1e-8);
}

}  // namespace
}  // namespace overlapack
