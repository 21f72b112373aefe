#include "sparse/analysis/fronts/front_cost.hpp"

#include <gtest/gtest.h>

namespace overlapack::sparse {
namespace {

constexpr FactorKind kinds[] = {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky};

TEST(FrontCost, FlopsAreThoseOfTheLoops) {
  for (Index f : {1, 2, 7, 30}) {
    for (Index s = 0; s <= f; ++s) {
      double lu = 0, ldlt = 0;
      for (Index k = 0; k < s; ++k)
        for (Index i = k + 1; i < f; ++i) {
          lu += 1;  // l_ik = a_ik / a_kk
          ldlt += 1;
          for (Index j = k + 1; j < f; ++j) lu += 2;
          for (Index j = k + 1; j <= i; ++j) ldlt += 2;
        }
      EXPECT_DOUBLE_EQ(front_flops(FactorKind::lu, f, s), lu);
      EXPECT_DOUBLE_EQ(front_flops(FactorKind::ldlt, f, s), ldlt);
      EXPECT_DOUBLE_EQ(front_flops(FactorKind::cholesky, f, s), ldlt + static_cast<double>(s));
    }
  }
}

TEST(FrontCost, EntriesAreThoseOfTheBlocks) {
  for (Index f : {1, 2, 9}) {
    for (Index s = 0; s <= f; ++s) {
      double lower = 0, all = 0, border_lower = 0;
      for (Index i = 0; i < f; ++i)
        for (Index j = 0; j < f; ++j) {
          const bool is_factor = std::min(i, j) < s;
          all += is_factor;
          lower += is_factor && i >= j;
          border_lower += !is_factor && i >= j;
        }
      EXPECT_EQ(front_factor_nnz(FactorKind::lu, f, s), all);
      EXPECT_EQ(front_factor_nnz(FactorKind::ldlt, f, s), lower);
      EXPECT_EQ(contribution_nnz(FactorKind::lu, f, s), static_cast<double>((f - s) * (f - s)));
      EXPECT_EQ(contribution_nnz(FactorKind::cholesky, f, s), border_lower);
    }
  }
}

TEST(FrontCost, SecondsGrowWithTheBorderAndNeverFallBelowTheFixedCost) {
  for (const kernels::Rates& rates : kernels::all_rates()) {
    const FrontCostModel model{rates};
    for (FactorKind kind : kinds)
      for (Index s : {1, 3, 16, 100, 5000}) {
        double before = 0;
        for (Index border : {0, 1, 2, 10, 100, 1000}) {
          const double seconds = front_seconds(kind, s + border, s, model);
          EXPECT_GT(seconds, before) << rates.level << ' ' << s << ' ' << border;
          EXPECT_GE(seconds, rates.front_s);
          before = seconds;
        }
      }
  }
}

TEST(FrontCost, SecondsOfDenseMatricesGrowWithTheOrder) {
  for (const kernels::Rates& rates : kernels::all_rates())
    for (FactorKind kind : kinds) {
      double before = 0;
      for (Index f = 1; f <= 3000; f += 1 + f / 8) {
        const double seconds = front_seconds(kind, f, f, FrontCostModel{rates});
        EXPECT_GT(seconds, before) << rates.level << ' ' << f;
        before = seconds;
      }
    }
}

TEST(FrontCost, RatesAreReadFromTheModel) {
  FrontCostModel model;
  kernels::Rates& rates = model.rates;
  rates.update_full.rate.fill(2);
  rates.update_lower.rate.fill(1);
  rates.panel_lu.fill(4);
  rates.panel_ldlt.fill(3);
  rates.update_full.half_border = rates.update_lower.half_border = 0;
  rates.assembly_bytes_per_s = 1e300;
  rates.front_s = 0.5;
  const double update = 2 * 3 * 7 * 7, panel = front_flops(FactorKind::lu, 10, 3) - update;
  EXPECT_DOUBLE_EQ(front_seconds(FactorKind::lu, 10, 3, model), 0.5 + update / 2e9 + panel / 4e9);
  const double lower = 3 * 7 * 8, below = front_flops(FactorKind::ldlt, 10, 3) - lower;
  EXPECT_DOUBLE_EQ(front_seconds(FactorKind::ldlt, 10, 3, model), 0.5 + lower / 1e9 + below / 3e9);
  model.scalar.operation = 4;
  EXPECT_DOUBLE_EQ(front_seconds(FactorKind::lu, 10, 3, model), 0.5 + 4 * (update / 2e9 + panel / 4e9));
  model.scalar.operation = 1;
  rates.assembly_bytes_per_s = 100;
  EXPECT_NEAR(front_seconds(FactorKind::lu, 10, 3, model), 0.5 + 3 * 8 * 49 / 100.0, 1e-6);
}

}  // namespace
}  // namespace overlapack::sparse
