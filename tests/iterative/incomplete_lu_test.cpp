#include "iterative/multisplitting/incomplete_lu.hpp"

#include "engine.hpp"
#include "schwarz_twin.hpp"

#include <algorithm>
#include <complex>
#include <limits>

/// Incomplete factors beside dense ones.
namespace overlapack::comm::conformance {
namespace {

using iterative::IncompleteLu;

/// What the solver applies, by its solutions for unit vectors; by_adjoint: the same, by those of its adjoint.
template <class T>
Dense<T> inverse_of(Rank& rank, IncompleteLu<T>& solver, std::size_t n, bool by_adjoint) {
  Dense<T> inverse(n, std::vector<T>(n));
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<T> unit(n), z(n);
    unit[j] = T(1);
    by_adjoint ? solver.solve_adjoint(rank, unit.data(), z.data())
               : solver.solve(rank, unit.data(), z.data());
    for (std::size_t i = 0; i < n; ++i) by_adjoint ? inverse[j][i] = conjugate(z[i]) : inverse[i][j] = z[i];
  }
  return inverse;
}

template <class T>
Dense<T> inverted(const Dense<T>& a) {
  Dense<T> inverse(a.size(), std::vector<T>(a.size()));
  for (std::size_t j = 0; j < a.size(); ++j) {
    std::vector<T> unit(a.size());
    unit[j] = T(1);
    const std::vector<T> column = eliminate(a, unit);
    for (std::size_t i = 0; i < a.size(); ++i) inverse[i][j] = column[i];
  }
  return inverse;
}

/// L U has the entries of B where B has some; and on the diagonal, unless it was raised.
template <class T>
void test_entries(const SparseMatrix<T>& B) {
  on_each_team([&](Rank& rank) {
    IncompleteLu<T> solver(B);
    EXPECT_EQ(solver.raised_share(), 0);
    EXPECT_EQ(solver.entries(), B.nnz());
    const auto n = static_cast<std::size_t>(B.rows);
    const Dense<T> b = dense(B), forward = inverse_of(rank, solver, n, false), product = inverted(forward);
    const double epsilon = 1e3 * std::numeric_limits<Real<T>>::epsilon();
    bool has_fill = false;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (b[i][j] != T(0))
          EXPECT_NEAR(std::abs(product[i][j] - b[i][j]), 0, epsilon) << i << ' ' << j;
        else
          has_fill |= std::abs(product[i][j]) > 1e-3;
      }
    EXPECT_TRUE(has_fill);  // else these were all factors
    const Dense<T> backward = inverse_of(rank, solver, n, true);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(std::abs(forward[i][j] - backward[i][j]), 0, epsilon);
  });
}

TEST(IncompleteLu, HasTheEntriesOfItsBlock) {
  test_entries(random_matrix<double>(40, 1.5, 1));
  test_entries(random_matrix<std::complex<double>>(30, 1.5, 2));
  test_entries(random_matrix<float>(30, 2, 3));
}

TEST(IncompleteLu, OfATridiagonalBlockIsExact) {
  on_each_team([](Rank& rank) {
    Dense<double> a(20, std::vector<double>(20));
    for (std::size_t i = 0; i < 20; ++i) {
      a[i][i] = 3;
      if (i > 0) a[i][i - 1] = -1, a[i - 1][i] = -1.5;
    }
    IncompleteLu<double> solver(sparse_from(a));
    const Dense<double> exact = inverted(a), found = inverse_of(rank, solver, 20, false);
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(found[i][j], exact[i][j], 1e-14);
  });
}

/// Kershaw's matrix is positive definite, and without fill its last pivot is negative.
TEST(IncompleteLu, RaisesTheDiagonalUntilPivotsStayOnTheirSide) {
  on_each_team([](Rank& rank) {
    const Dense<double> a{{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
    IncompleteLu<double> solver(sparse_from(a, Symmetry::symmetric));
    EXPECT_GT(solver.raised_share(), 0);
    const Dense<double> inverse = inverse_of(rank, solver, 4, false);
    const std::vector<std::vector<double>> tries{{1, 1, 1, 1}, {1, -1, 1, -1}, {-1, 2, 3, 1}, {0, 0, 0, 1}};
    for (const auto& x : tries) {
      double energy = 0;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) energy += x[i] * inverse[i][j] * x[j];
      EXPECT_GT(energy, 0);
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(inverse[i][j], inverse[j][i], 1e-15);
  });
}

TEST(IncompleteLu, SaysWhyThereIsNone) {
  const auto sentence = [](const Dense<double>& a) -> std::string {
    try {
      IncompleteLu<double> solver(sparse_from(a));
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::singular);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence({{1, 2}, {3, 0}}).find("a number on the diagonal is 0"), std::string::npos);
  EXPECT_NE(sentence({{1, 1e5}, {1e5, 1}}).find("too small beside the other numbers"), std::string::npos);
}

}  // namespace
}  // namespace overlapack::comm::conformance
