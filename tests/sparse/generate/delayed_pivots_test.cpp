#include "comm/team.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <gtest/gtest.h>

namespace overlapack::sparse {
namespace {

Index pivots_delayed(const SparseMatrix<double>& A, const AnalysisPlan& plan, int ranks) {
  const Analysis analysis = analyse(A, plan);
  Index delayed = 0;
  comm::run({.ranks = ranks}, [&](comm::Rank& rank) {
    multifrontal::Multifrontal<double> factors;
    const bool is_root = rank.rank() == 0;
    factors.factorize(rank, is_root ? &analysis : nullptr, is_root ? &A : nullptr, {});
    if (is_root) delayed = factors.stats().pivots.delayed;
  });
  return delayed;
}

/// What "bordered" is for: whatever the ordering and the matching, some blocks cannot eliminate all of their
/// variables, and the default threshold hands the rest to their parents.
TEST(Bordered, DelaysPivotsWithDefaultOptions) {
  for (const char* kind : {"bordered", "bordered-symmetric"})
    for (const std::optional<Ordering> ordering :
         {std::optional<Ordering>(), {Ordering::metis}, {Ordering::amd}})
      for (const std::optional<Switch> matching : {std::optional<Switch>(), {Switch::on}, {Switch::off}}) {
        SCOPED_TRACE(std::string(kind) + ", ordering " + std::string(to_string(ordering)) + ", matching " +
                     std::string(to_string(matching)));
        const auto A = generate(kind, 20);
        AnalysisPlan plan;
        plan.ordering = ordering;
        plan.matching = matching;
        plan.kind = FactorKind::lu;
        EXPECT_GT(pivots_delayed(A, plan, 1), 0);
        if (A.symmetry != Symmetry::symmetric) continue;
        plan.kind = FactorKind::ldlt;
        EXPECT_GT(pivots_delayed(A, plan, 1), 0);
        EXPECT_GT(pivots_delayed(A, plan, 3), 0);
      }
}

}  // namespace
}  // namespace overlapack::sparse
