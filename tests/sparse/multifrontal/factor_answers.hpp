#pragma once
#include "problems.hpp"

/// What factors on the ranks of a team answer beside A x = b, against the obvious way.
namespace overlapack::sparse::testing {

template <class T, class Factors>
void expect_determinant(comm::Rank& rank, Factors& factors, const SparseMatrix<T>& A,
                        const dense::ScaledNumber<T>& expected) {
  const dense::ScaledNumber<T> det = factors.determinant(rank);
  const auto ratio = std::ldexp(1.0, static_cast<int>(det.exponent - expected.exponent));
  EXPECT_LE(std::abs(det.mantissa * static_cast<Real<T>>(ratio) - expected.mantissa), tolerance<T>(A.rows));
}

/// A^T X = B and A^H X = B in place.
template <class T, class Factors>
void expect_transposed_solves(comm::Rank& rank, Factors& factors, const SparseMatrix<T>& A, Index nrhs) {
  for (const auto op : {kernels::Op::trans, kernels::Op::conj_trans}) {
    const auto b = multiply(applied(A, op), random_vector<T>(nrhs * A.rows, 5), nrhs);
    auto x = b;
    factors.solve(rank, op, x.data(), x.data(), nrhs);
    const double error = rank.rank() == 0 ? backward_error(applied(A, op), x, b, nrhs) : 0;
    EXPECT_LE(error, tolerance<T>(A.rows));
  }
}

/// Both of a factorisation on each team, and what `also`(rank, factors) asks on each rank.
template <class T, class Also>
void expect_answers(const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan, const FactorPlan& plan,
                    Index nrhs, Also&& also) {
  const Analysis analysis = analyse(A, analysis_plan);
  const dense::ScaledNumber<T> expected = dense_determinant(A);
  comm::conformance::each_team({}, [&](comm::Team& team) {
    std::vector<multifrontal::Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
    team.run([&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      mine.factorize(rank, &analysis, &A, plan);
      expect_determinant(rank, mine, A, expected);
      expect_transposed_solves(rank, mine, A, nrhs);
      also(rank, mine);
    });
  });
}

}  // namespace overlapack::sparse::testing
