#include "overlapack/error.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/convert.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/matrix/random_sparse.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/transpose.hpp"
#include "sparse/matrix/triplets.hpp"
#include "sparse/matrix/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace overlapack::sparse {
namespace {

using test::dense;
using test::random_permutation;
using test::random_sparse;
using test::random_triplets;

/// Shapes around the edges: empty, one, thin, flat, square.
struct Shape {
  Index rows, cols, entries;
};
const Shape shapes[] = {{0, 0, 0}, {1, 1, 1},  {1, 7, 5},    {7, 1, 5},
                        {5, 5, 0}, {6, 9, 40}, {17, 17, 90}, {40, 33, 400}};

template <class T>
class SparseMatrixTest : public ::testing::Test {};
using ScalarTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SparseMatrixTest, ScalarTypes);

template <class Call>
void expect_bad_input(Call call, const std::string& part) {
  try {
    call();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// What pairs tell of the values is what a look for each partner tells.
template <class T>
void expect_same_by_pairs(const SparseMatrix<T>& A) {
  const std::vector<MirrorPair> pairs = mirror_pairs(A);
  for (const Symmetry symmetry :
       {Symmetry::general, Symmetry::symmetric, Symmetry::skew, Symmetry::hermitian})
    EXPECT_EQ(has_symmetry<T>(A.value, pairs, symmetry), has_symmetry(A, symmetry));
}

TYPED_TEST(SparseMatrixTest, CompressSumsDuplicatesInTheOrderOfTheList) {
  Random random(1);
  for (const Shape& shape : shapes) {
    const auto entries = random_triplets<TypeParam>(shape.rows, shape.cols, shape.entries, random);
    std::vector<TypeParam> twin(shape.rows * shape.cols);
    for (Index k = 0; k < entries.size(); ++k)
      twin[entries.row[k] + entries.col[k] * shape.rows] += entries.value[k];

    const Summed<TypeParam> result = compress(entries);
    EXPECT_TRUE(is_canonical(result.matrix));
    EXPECT_EQ(result.matrix.nnz() + result.duplicates_summed, shape.entries);
    EXPECT_EQ(dense(result.matrix), twin);  // bit for bit: the same sums in the same order
  }
}

TYPED_TEST(SparseMatrixTest, TransposeMovesEveryEntry) {
  Random random(2);
  for (const Shape& shape : shapes) {
    const auto A = random_sparse<TypeParam>(shape.rows, shape.cols, shape.entries, random);
    const auto a = dense(A), b = dense(transpose(A)), c = dense(conjugate_transpose(A));
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i) {
        EXPECT_EQ(b[j + i * A.cols], a[i + j * A.rows]);
        EXPECT_EQ(c[j + i * A.cols], conjugate(a[i + j * A.rows]));
      }
  }
}

TYPED_TEST(SparseMatrixTest, PermuteFollowsItsDefinition) {
  Random random(3);
  for (const Shape& shape : shapes) {
    const auto A = random_sparse<TypeParam>(shape.rows, shape.cols, shape.entries, random);
    const auto p = random_permutation(A.rows, random), q = random_permutation(A.cols, random);
    std::vector<double> r(A.rows), s(A.cols);
    for (double& x : r) x = std::exp2(static_cast<double>(random.below(9)) - 4);
    for (double& x : s) x = std::exp2(static_cast<double>(random.below(9)) - 4);
    const auto B = permute(A, p, q, r, s);
    EXPECT_TRUE(is_canonical(B));
    const auto a = dense(A), b = dense(B);
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i)  // powers of two: no rounding
        EXPECT_EQ(b[i + j * A.rows],
                  a[p[i] + q[j] * A.rows] * static_cast<Real<TypeParam>>(r[p[i]] * s[q[j]]));
  }
}

TYPED_TEST(SparseMatrixTest, MirrorGivesEachSymmetry) {
  Random random(4);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::skew, Symmetry::hermitian}) {
    Triplets<TypeParam> lower;
    lower.rows = lower.cols = 12;
    for (Index j = 0; j < 12; ++j)
      for (Index i = symmetry == Symmetry::skew ? j + 1 : j; i < 12; i += 1 + random.below(4)) {
        TypeParam x = random_value<TypeParam>(random);
        if (i == j && symmetry == Symmetry::hermitian) x = TypeParam(std::real(x));
        lower.add(i, j, x);
      }
    const auto L = compress(lower).matrix;
    const auto A = mirror_triangle(L, symmetry);
    EXPECT_EQ(A.symmetry, symmetry);
    EXPECT_TRUE(is_canonical(A));
    EXPECT_TRUE(has_symmetry(A, symmetry));
    expect_same_by_pairs(A);
    auto one_other = A;
    one_other.value.front() += TypeParam(1);
    expect_same_by_pairs(one_other);
    const bool is_real = !ScalarTraits<TypeParam>::is_complex;
    const Symmetry seen = is_real && symmetry == Symmetry::hermitian ? Symmetry::symmetric : symmetry;
    EXPECT_EQ(detect_symmetry(A), seen);
    const auto a = dense(A), l = dense(L);
    for (Index j = 0; j < 12; ++j)
      for (Index i = j; i < 12; ++i) EXPECT_EQ(a[i + 12 * j], l[i + 12 * j]);
    EXPECT_EQ(has_symmetry(mirror_triangle(transpose(L), Symmetry::symmetric), Symmetry::symmetric), true);
  }
}

TEST(Symmetry, OneDifferentBitMakesAMatrixGeneral) {
  Random random(5);
  auto A = mirror_triangle(compress(Triplets<double>{3, 3, {1, 2, 2}, {0, 0, 1}, {0.1, 0.2, 0.3}}).matrix,
                           Symmetry::symmetric);
  EXPECT_EQ(detect_symmetry(A), Symmetry::symmetric);
  A.value.back() = std::nextafter(A.value.back(), 1.0);
  EXPECT_EQ(detect_symmetry(A), Symmetry::general);
}

TEST(Symmetry, MissingPartnersCountUnlessTheyAreZero) {
  const auto A = compress(Triplets<double>{2, 2, {1}, {0}, {0.0}}).matrix;
  EXPECT_EQ(detect_symmetry(A), Symmetry::symmetric);
  EXPECT_EQ(pattern_symmetry(A), 0.0);
  expect_same_by_pairs(A);
  expect_same_by_pairs(compress(Triplets<double>{2, 2, {1}, {0}, {1.0}}).matrix);
  EXPECT_EQ(detect_symmetry(compress(Triplets<double>{2, 2, {1}, {0}, {1.0}}).matrix), Symmetry::general);
  EXPECT_EQ(detect_symmetry(compress(Triplets<double>{2, 3, {}, {}, {}}).matrix), Symmetry::general);
}

TEST(Symmetry, HowFarAMatrixIsFromIt) {
  constexpr double ulp = std::numeric_limits<double>::epsilon();
  SparseMatrix<double> A =
      compress(Triplets<double>{3, 3, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 2}, {8.0, 1.0, 1 + ulp, 4.0, 2.0}})
          .matrix;
  EXPECT_EQ(asymmetry(A, Symmetry::symmetric, 1e-10), ulp / 8);  // of the 8 beside it
  EXPECT_EQ(asymmetry(A, Symmetry::symmetric, ulp / 16), std::nullopt);
  A.value[1] = 2;
  EXPECT_EQ(asymmetry(A, Symmetry::symmetric, 1e-10), std::nullopt);
  EXPECT_EQ(asymmetry(A, Symmetry::symmetric, 1), 0.125);
  const auto alone = compress(Triplets<double>{2, 2, {0, 1, 1}, {0, 0, 1}, {1.0, 1e-12, 1.0}}).matrix;
  EXPECT_EQ(asymmetry(alone, Symmetry::symmetric, 1e-10), 1e-12);  // the other one is a zero
  using Complex = std::complex<double>;
  const Complex above(1, 2), below(1, -2 + 2 * ulp);
  const auto H = compress(Triplets<Complex>{2, 2, {0, 1, 0, 1}, {0, 0, 1, 1}, {4, below, above, 4}}).matrix;
  EXPECT_EQ(asymmetry(H, Symmetry::hermitian, 1e-10), ulp / 2);
  EXPECT_EQ(asymmetry(H, Symmetry::symmetric, 1e-10), std::nullopt);
}

TEST(Symmetry, SymmetrisedPatternIsTheUnionWithoutDiagonal) {
  Random random(6);
  for (Index n : {0, 1, 2, 13, 30}) {
    const auto A = random_sparse<double>(n, n, 3 * n, random);
    const Pattern pattern = symmetrised_pattern(A);
    std::vector<bool> present(n * n), twin(n * n);
    for (Index j = 0; j < n; ++j) {
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
        if (A.row[p] != j) twin[A.row[p] + n * j] = twin[j + n * A.row[p]] = true;
      for (Index p = pattern.start[j]; p < pattern.start[j + 1]; ++p) {
        present[pattern.row[p] + n * j] = true;
        if (p > pattern.start[j]) {
          EXPECT_LT(pattern.row[p - 1], pattern.row[p]);
        }
      }
    }
    EXPECT_EQ(present, twin);
  }
}

TEST(Permute, KeepsSymmetryOnlyWhenRowsAndColumnsMoveTogether) {
  auto A = mirror_triangle(compress(Triplets<double>{3, 3, {0, 1, 2}, {0, 0, 1}, {0.1, 0.2, 0.3}}).matrix,
                           Symmetry::symmetric);
  const std::vector<Index> p{2, 0, 1}, q{0, 1, 2};
  const std::vector<double> d{0.3, 0.7, 1.1};  // no powers of two: (i, j) and (j, i) must round alike
  const auto B = permute<double>(A, p, p, d, d);
  EXPECT_EQ(B.symmetry, Symmetry::symmetric);
  EXPECT_TRUE(has_symmetry(B, Symmetry::symmetric));
  EXPECT_EQ(permute<double>(A, p, q).symmetry, Symmetry::general);
}

TEST(Permute, ScalesAcrossTheWholeRange) {
  const auto A = compress(Triplets<double>{1, 1, {0}, {0}, {0x1p-1070}}).matrix;
  const std::vector<Index> p{0};
  const std::vector<double> r{0x1p600}, s{0x1p470};  // r * s alone overflows
  EXPECT_EQ(permute<double>(A, p, p, r, s).value[0], 1.0);
  const auto F = compress(Triplets<float>{1, 1, {0}, {0}, {1.0f}}).matrix;
  const std::vector<double> t{0x1p-200}, u{0x1p200};  // neither is a float
  EXPECT_EQ(permute<float>(F, p, p, t, u).value[0], 1.0f);
}

TEST(Permute, RefusesWhatIsNoPermutation) {
  const auto A = compress(Triplets<double>{2, 2, {}, {}, {}}).matrix;
  const std::vector<Index> good{1, 0}, twice{0, 0}, beyond{0, 2}, brief{0};
  expect_bad_input([&] { permute<double>(A, twice, good); }, "entry 1");
  expect_bad_input([&] { permute<double>(A, good, beyond); }, "entry 1");
  expect_bad_input([&] { permute<double>(A, brief, good); }, "row permutation");
  EXPECT_EQ(inverse_permutation(std::vector<Index>{2, 0, 1}), (std::vector<Index>{1, 2, 0}));
}

TEST(Triplets, RefusesIndicesOutsideAndUnevenLists) {
  expect_bad_input([] { compress(Triplets<double>{2, 2, {0, 2}, {0, 0}, {1, 1}}); }, "entry 1");
  expect_bad_input([] { compress(Triplets<double>{2, 2, {0}, {-1}, {1}}); }, "entry 0");
  expect_bad_input([] { compress(Triplets<double>{2, 2, {0, 1}, {0}, {1}}); }, "differ in length");
  expect_bad_input([] { compress(Triplets<double>{-2, 2, {}, {}, {}}); }, "non-negative");
}

SparseMatrix<double> two_by_two() { return {2, 2, {0, 1, 2}, {0, 1}, {1.0, 2.0}, Symmetry::general}; }

TEST(Validate, NamesWhatIsWrong) {
  EXPECT_NO_THROW(validate(two_by_two()));
  auto A = two_by_two();
  A.start = {0, 2};
  expect_bad_input([&] { validate(A); }, "column offsets");
  A = two_by_two();
  A.start = {0, 2, 1};
  expect_bad_input([&] { validate(A); }, "decrease after column 1");
  A = two_by_two();
  A.start = {0, 1, 3};
  expect_bad_input([&] { validate(A); }, "last column offset");
  A = two_by_two();
  A.start[0] = 1;
  expect_bad_input([&] { validate(A); }, "start at 0");
  A = two_by_two();
  A.start.clear();
  expect_bad_input([&] { validate(A); }, "column offsets");
  A = two_by_two();
  A.row[1] = 2;
  expect_bad_input([&] { validate(A); }, "row index 2");
  A = two_by_two();
  A.value.pop_back();
  expect_bad_input([&] { validate(A); }, "1 values");
  for (double x : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    A = two_by_two();
    A.value[1] = x;
    expect_bad_input([&] { validate(A); }, "row 1, column 1");
  }
}

TEST(Validate, SquareAndNotEmpty) {
  EXPECT_NO_THROW(require_square(1, 1));
  expect_bad_input([] { require_square(2, 3); }, "2 rows and 3 columns");
  expect_bad_input([] { require_square(0, 0); }, "empty");
}

TEST(Validate, CountsThatLeave64Bits) {
  const Index half = Index{1} << 62;
  EXPECT_EQ(checked_product(half, 1, "rows"), half);
  expect_bad_input([&] { checked_product(half, 2, "rows x columns"); }, "rows x columns");
  expect_bad_input([&] { checked_sum(half, half, "entries"); }, "entries");
}

TEST(Canonical, SortsAndSumsUnsortedColumns) {
  SparseMatrix<double> A{3, 2, {0, 3, 4}, {2, 0, 2, 1}, {1, 2, 4, 8}, Symmetry::general};
  EXPECT_FALSE(is_canonical(A));
  EXPECT_EQ(make_canonical(A), 1);
  EXPECT_EQ(A.start, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(A.row, (std::vector<Index>{0, 2, 1}));
  EXPECT_EQ(A.value, (std::vector<double>{2, 5, 8}));
  EXPECT_EQ(make_canonical(A), 0);
}

TEST(Convert, RoundsAndRefusesWhatIsLost) {
  Random random(7);
  const auto A = random_sparse<double>(8, 8, 30, random);
  const auto F = convert<float>(A);
  for (Index k = 0; k < A.nnz(); ++k) EXPECT_EQ(F.value[k], static_cast<float>(A.value[k]));
  EXPECT_EQ(convert<double>(convert<std::complex<double>>(A)).value, A.value);
  auto big = two_by_two();
  big.value[1] = 1e39;
  expect_bad_input([&] { convert<float>(big); }, "overflows single");
  auto C = convert<std::complex<double>>(two_by_two());
  C.symmetry = Symmetry::hermitian;
  EXPECT_EQ(convert<double>(C).symmetry, Symmetry::symmetric);
  C.value[0] = {1, 1e-300};
  expect_bad_input([&] { convert<double>(C); }, "imaginary");
}

}  // namespace
}  // namespace overlapack::sparse
