#include "base/random.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"
#include "sparse/matching/assignment.hpp"
#include "sparse/matching/maximum_product.hpp"
#include "sparse/matrix/convert.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/matrix/random_sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

namespace overlapack::sparse {
namespace {

using test::random_permutation;
using test::random_sparse;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
double magnitude(const SparseMatrix<T>& A, Index i, Index j) {
  for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
    if (A.row[p] == i) return std::abs(A.value[p]);
  return 0;
}

/// The twin: all permutations. The largest cardinality, and of those the largest log2 of the product.
template <class T>
std::pair<Index, double> best_by_enumeration(const SparseMatrix<T>& A) {
  std::vector<Index> row(A.cols);
  std::iota(row.begin(), row.end(), Index{0});
  std::pair<Index, double> best{-1, -infinity};
  do {
    // Of a permutation count the entries that exist: a partial matching.
    std::pair<Index, double> here{0, 0};
    for (Index j = 0; j < A.cols; ++j)
      if (const double a = magnitude(A, row[j], j); a > 0) {
        ++here.first;
        here.second += std::log2(a);
      }
    best = std::max(best, here);
  } while (std::next_permutation(row.begin(), row.end()));
  return best;
}

/// Entries are matched at most once a row and exist; where no column is left the scaled bounds hold. Returns log2 of the product.
template <class T>
double check(const SparseMatrix<T>& A, const Matching& m) {
  std::vector<bool> taken(A.rows, false);
  double log_product = 0;
  Index size = 0;
  for (Index j = 0; j < A.cols; ++j) {
    const Index i = m.row_of_column[j];
    if (i < 0) continue;
    ++size;
    EXPECT_FALSE(taken[i]);
    taken[i] = true;
    EXPECT_GT(magnitude(A, i, j), 0);
    log_product += std::log2(magnitude(A, i, j));
  }
  EXPECT_EQ(size, m.structural_rank);
  // Rounding to powers of two moves each scale by at most sqrt(2), the product of two by 2; the dual variables
  // carry at most n roundings of their largest magnitude, well below the slack of 1e-9.
  const double slack = 1 + 1e-9;
  for (Index j = 0; j < A.cols && size == A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const double b = std::abs(A.value[p]) * m.row_scale[A.row[p]] * m.col_scale[j];
      EXPECT_LE(b, 2 * slack);
      if (A.row[p] == m.row_of_column[j]) {
        EXPECT_GE(b, 0.5 / slack);
      }
    }
  return log_product;
}

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5;
}

template <class T>
class MatchingTest : public ::testing::Test {};
using ScalarTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MatchingTest, ScalarTypes);

TYPED_TEST(MatchingTest, AgreesWithEnumeration) {
  Random random(11);
  int regular = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = trial % 8;  // 0 to 7
    const Index entries = static_cast<Index>(random.below(2 * n * n + 1));
    auto A = random_sparse<TypeParam>(n, n, entries, random);
    for (auto& x : A.value)  // magnitudes over nine decades, so that the best product is not a matter of ties
      x *= static_cast<Real<TypeParam>>(std::pow(10.0, random.uniform(-4.5, 4.5)));
    const Matching m = maximum_product_matching(A);
    const auto [rank, log_product] = best_by_enumeration(A);
    EXPECT_EQ(m.structural_rank, rank);
    const double found = check(A, m);
    if (rank == n) {
      EXPECT_NEAR(found, log_product, 1e-12 * 8 * 60);  // 8 logarithms, each of magnitude below 60
      ++regular;
    }
  }
  EXPECT_GT(regular, 60);
}

TEST(Matching, ChoosesAmongTiesCorrectly) {
  // All entries equal: any perfect matching is best, so only the cardinality counts.
  Random random(12);
  for (int trial = 0; trial < 100; ++trial) {
    auto A = random_sparse<double>(7, 7, 14, random);
    std::fill(A.value.begin(), A.value.end(), 1.0);
    const Matching m = maximum_product_matching(A);
    EXPECT_EQ(m.structural_rank, best_by_enumeration(A).first);
    check(A, m);
  }
}

TEST(Matching, PrefersTheDiagonalAmongEquals) {
  const auto A = generate("cube", 4);
  const Matching m = maximum_product_matching(A);
  for (Index j = 0; j < A.cols; ++j) EXPECT_EQ(m.row_of_column[j], j);
}

TEST(Matching, FindsAHiddenPermutation) {
  Random random(13);
  for (Index n : {1, 2, 50, 500}) {
    auto D = random_sparse<double>(n, n, 5 * n, random);
    Triplets<double> entries;
    entries.rows = entries.cols = n;
    const auto p = random_permutation(n, random);
    for (Index j = 0; j < n; ++j) {
      entries.add(p[j], j, 1e8);
      for (Index q = D.start[j]; q < D.start[j + 1]; ++q) entries.add(D.row[q], j, D.value[q]);
    }
    const auto A = compress(entries).matrix;
    const Matching m = maximum_product_matching(A);
    EXPECT_EQ(m.row_of_column, p);
    check(A, m);
  }
}

TEST(Matching, StructurallySingular) {
  auto A = compress(Triplets<double>{4, 4, {0, 1, 2, 0}, {0, 1, 1, 3}, {1, 2, 3, 4}}).matrix;
  const Matching m = maximum_product_matching(A);
  EXPECT_EQ(m.structural_rank, 2);  // column 2 is empty, columns 0 and 3 share row 0
  EXPECT_EQ(m.row_of_column[2], -1);
  EXPECT_NE(m.row_of_column[1], -1);
  EXPECT_EQ(m.row_of_column[3] + m.row_of_column[0], -1);  // one of them has row 0, the other none
}

/// Columns that find no row leave those that they came to for the others, which need none of them.
TEST(Matching, StructurallySingularInParts) {
  Random random(15);
  for (int trial = 0; trial < 50; ++trial) {
    constexpr Index n = 40, few = 12;  // columns 0 ... 19 have entries in the first 12 rows alone
    Triplets<double> entries{n, n, {}, {}, {}};
    for (Index j = 0; j < n; ++j) {
      if (j >= n / 2) {
        entries.row.push_back(j - n / 2 + few);  // a row that no other needs
        entries.col.push_back(j);
        entries.value.push_back(random.uniform(-1, 1));
      }
      for (int k = 0; k < 6; ++k) {
        entries.row.push_back(static_cast<Index>(random.uniform(0, few)));
        entries.col.push_back(j);
        entries.value.push_back(random.uniform(-1, 1));
      }
    }
    const auto A = compress(std::move(entries)).matrix;
    const Matching m = maximum_product_matching(A);
    EXPECT_EQ(m.structural_rank, few + n / 2);
    std::vector<char> taken(n, 0);
    for (const Index i : m.row_of_column)
      if (i >= 0) {
        EXPECT_FALSE(std::exchange(taken[static_cast<std::size_t>(i)], 1));
      }
  }
}

TEST(Matching, ExplicitZerosAreNoEntries) {
  const auto A = compress(Triplets<double>{2, 2, {0, 1, 1}, {0, 0, 1}, {0.0, 3.0, 0.0}}).matrix;
  const Matching m = maximum_product_matching(A);
  EXPECT_EQ(m.structural_rank, 1);
  EXPECT_EQ(m.row_of_column[0], 1);
}

TEST(Matching, ExtremeRangeStaysFinite) {
  auto A = generate("convection", 6);
  Random random(14);
  std::vector<double> r(A.rows), s(A.cols);
  for (double& x : r) x = std::pow(10.0, random.uniform(-120, 120));
  for (double& x : s) x = std::pow(10.0, random.uniform(-120, 120));
  std::vector<Index> p(A.rows);
  std::iota(p.begin(), p.end(), Index{0});
  A = permute<double>(A, p, p, r, s);
  const Matching m = maximum_product_matching(A);
  EXPECT_EQ(m.structural_rank, A.rows);
  check(A, m);
  for (double x : m.row_scale) EXPECT_TRUE(is_power_of_two(x));
  for (double x : m.col_scale) EXPECT_TRUE(is_power_of_two(x));
}

TEST(Matching, ColumnsLongAndShortGiveTheSameProduct) {
  // Columns beyond 10 sqrt(n) take another way through the algorithm. The product is unique, so the transposed
  // problem, in which these are rows, must give the same.
  Random random(15);
  const Index n = 300;
  auto entries = test::random_triplets<double>(n, n, 4 * n, random);
  for (Index j : {3, 77, 200})
    for (Index i = 0; i < n; ++i) entries.add(i, j, random.uniform(-9, 9));
  for (Index j = 0; j < n; ++j) entries.add(j, n - 1 - j, 1e-3);
  const auto A = compress(entries).matrix;
  Triplets<double> flipped{n, n, {}, {}, {}};
  for (Index j = 0; j < n; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) flipped.add(j, A.row[p], A.value[p]);
  const auto B = compress(flipped).matrix;
  EXPECT_NEAR(check(A, maximum_product_matching(A)), check(B, maximum_product_matching(B)), 1e-12 * n * 10);
}

TEST(SymmetricScaling, BoundsAndSymmetry) {
  const auto A = generate("saddle", 8);
  const Matching m = maximum_product_matching(A);
  ASSERT_EQ(m.structural_rank, A.rows);
  const auto d = symmetric_scaling(m);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const double b = std::fabs(A.value[p]) * d[A.row[p]] * d[j];
      EXPECT_LE(b, 4.0 * (1 + 1e-9));
      if (A.row[p] == m.row_of_column[j]) {
        EXPECT_GE(b, 0.25 / (1 + 1e-9));
      }
    }
}

/// The duals prove optimality: feasible everywhere, tight on the matching.
void expect_proved(const AssignmentProblem& problem, const Assignment& assignment, double largest) {
  // A dual is a sum along a path; its roundings are eps times the largest cost, a few hundred of them.
  const double tolerance = 1000 * std::numeric_limits<double>::epsilon() * largest;
  double least = 0, loosest = 0;
  for (Index j = 0; j < problem.n; ++j)
    for (Index p = problem.start[j]; p < problem.start[j + 1]; ++p) {
      if (std::isinf(problem.cost[p])) continue;
      const double reduced = problem.cost[p] - assignment.row_dual[problem.row[p]] - assignment.col_dual[j];
      least = std::min(least, reduced);
      if (problem.row[p] == assignment.row_of_column[j]) loosest = std::max(loosest, std::fabs(reduced));
    }
  EXPECT_GE(least, -tolerance);
  EXPECT_LE(loosest, tolerance);
}

TEST(Assignment, DualsProveOptimalityOnRealMatrices) {
  const std::string folder = OVERLAPACK_MATRICES_DIR;
  if (folder.empty()) GTEST_SKIP() << "no folder of real matrices";
  int seen = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".gz") continue;
    ++seen;
    const auto matrix = io::read_matrix(file.path().string()).matrix;
    const auto& A = std::get<SparseMatrix<double>>(matrix);
    AssignmentProblem problem{A.cols, A.start.data(), A.row.data(), {}};
    double largest = 0;
    for (double x : A.value) {
      problem.cost.push_back(x == 0 ? infinity : 1100 - std::log2(std::fabs(x)));
      if (x != 0) largest = std::max(largest, problem.cost.back());
    }
    const Assignment assignment = solve_assignment(problem);
    const testing::ScopedTrace trace(__FILE__, __LINE__, file.path().string());
    EXPECT_EQ(assignment.size, A.cols);
    expect_proved(problem, assignment, largest);
  }
  EXPECT_GT(seen, 0);
}

/// Variables with diagonals, then constraints of three variables each without: columns of constraints search long. At the end
/// `short_of_rows` columns with the same row alone.
struct Constrained {
  Constrained(Index variables, Index constraints, Index short_of_rows) {
    Random random(5);
    problem.n = variables + constraints + short_of_rows;
    std::vector<std::vector<std::pair<Index, double>>> column(static_cast<std::size_t>(problem.n));
    for (Index j = 0; j < variables; ++j) column[j].emplace_back(j, random.uniform(0, 20));
    for (Index i = variables; i < variables + constraints; ++i)
      for (int k = 0; k < 3; ++k) {
        const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(variables)));
        const auto cost = static_cast<double>(random.below(3));
        column[i].emplace_back(j, cost);
        column[j].emplace_back(i, cost);
      }
    for (Index j = variables + constraints; j < problem.n; ++j) column[j].emplace_back(problem.n - 1, 1.0);
    for (auto& entries : column) {
      std::ranges::sort(entries);
      entries.erase(std::unique(entries.begin(), entries.end(),
                                [](const auto& a, const auto& b) { return a.first == b.first; }),
                    entries.end());
      for (const auto& [i, cost] : entries) {
        row.push_back(i);
        problem.cost.push_back(cost);
      }
      start.push_back(static_cast<Index>(row.size()));
    }
    problem.start = start.data();
    problem.row = row.data();
  }
  std::vector<Index> start{0}, row;
  AssignmentProblem problem;
};

TEST(Assignment, ColumnsBidWhereSearchesAreLong) {
  const Constrained hard(2000, 1500, 0);
  const Assignment assignment = solve_assignment(hard.problem);
  EXPECT_GT(assignment.bids, 0);
  EXPECT_EQ(assignment.size, hard.problem.n);
  expect_proved(hard.problem, assignment, 20);
  EXPECT_EQ(solve_assignment(Constrained(200, 20, 0).problem).bids, 0);
}

TEST(Assignment, BidsDoNotCostColumns) {
  const Constrained hard(2000, 1500, 3);
  const Assignment assignment = solve_assignment(hard.problem);
  EXPECT_GT(assignment.bids, 0);
  EXPECT_EQ(assignment.size, hard.problem.n - 2);
}

/// A band with other numbers of rows above the diagonal than below, behind `in_one_row` columns whose only row is the first.
struct Band {
  Band(Index n, Index below, Index above, Index in_one_row) {
    Random random(1);
    problem.n = in_one_row + n;
    const auto add = [&](Index i) {
      row.push_back(i);
      problem.cost.push_back(-std::log2(random.uniform()));
    };
    for (Index j = 0; j < problem.n; ++j) {
      if (j < in_one_row)
        add(0);
      else
        for (Index i = std::max(in_one_row, j - above); i <= std::min(problem.n - 1, j + below); ++i) add(i);
      start.push_back(static_cast<Index>(row.size()));
    }
    problem.start = start.data();
    problem.row = row.data();
  }
  std::vector<Index> start{0}, row;
  AssignmentProblem problem;
};

/// Free rows lie beside the columns to come. Passes over all entries do not grow with the length of the band. With searches one column
/// after the other they do, to 300 to 700 here.
TEST(Assignment, SearchesInABandStayNear) {
  for (const auto& [n, below, above] :
       std::vector<std::tuple<Index, Index, Index>>{{4000, 1, 10}, {4000, 0, 10}, {2000, 3, 30}}) {
    const Band band(n, below, above, 0);
    const Assignment assignment = solve_assignment(band.problem);
    EXPECT_GT(assignment.bids, 0);
    EXPECT_EQ(assignment.size, n);
    expect_proved(band.problem, assignment, 64);
    EXPECT_LT(assignment.scanned / band.start.back(), 100) << n << ' ' << below << ' ' << above;
  }
}

/// Searches stay near also where an earlier column has found no row.
TEST(Assignment, AColumnWithoutARowDoesNotLengthenSearches) {
  const Band band(4000, 1, 10, 2);
  const Assignment assignment = solve_assignment(band.problem);
  EXPECT_GT(assignment.bids, 0);
  EXPECT_EQ(assignment.size, band.problem.n - 1);
  EXPECT_LT(assignment.scanned / band.start.back(), 100);
}

/// A bid may take a row from which no free row was reached, and searches reach one again.
TEST(Assignment, BidsForRowsThatWereGivenUpDoNotCostColumns) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Index n = 60, rows = n - 8;  // the last 8 are empty
    std::vector<Index> start{0}, row;
    AssignmentProblem problem{n, nullptr, nullptr, {}};
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < rows; ++i)
        if (random.below(j < 20 ? 12 : 30) == 0 && (j >= 20 || i < 12)) {
          row.push_back(i);
          problem.cost.push_back(random.uniform(0, 20));
        }
      start.push_back(static_cast<Index>(row.size()));
    }
    problem.start = start.data();
    problem.row = row.data();
    const Assignment bidding = solve_assignment(problem, {}, {.passes_before_bids = 0});
    const Assignment plain = solve_assignment(problem, {}, {.passes_before_bids = 1000000});
    EXPECT_EQ(plain.bids, 0);
    EXPECT_EQ(bidding.size, plain.size) << seed;
  }
}

}  // namespace
}  // namespace overlapack::sparse
