#include "comm/collective/async_sum.hpp"
#include "comm/collective/collective.hpp"
#include "comm/collective/doubling_sum.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"

#include <cmath>

namespace overlapack::comm::conformance {
namespace {

// Ranks start their rounds at different times; every rank gets every sum, in order.
void every_rank_gets_every_sum(collective::SumForm form) {
  on_each_team([form](Rank& engine) {
    CheckedRank rank(engine, {.seed = 3});
    const auto held = collective::async_sum(rank, form);
    collective::AsyncSum& sum = *held;
    EXPECT_FALSE(sum.sum_if_done().has_value());
    for (int round = 1; round <= 20; ++round) {
      sum.start({static_cast<double>(round * (rank.rank() + 1)), 1.0});
      EXPECT_THROW(sum.start({0.0, 0.0}), Error);
      std::optional<std::vector<double>> result;
      while (!(result = sum.sum_if_done())) pause(rank, 1e-4);
      const double p = rank.size();
      EXPECT_EQ(*result, (std::vector<double>{round * p * (p + 1) / 2, p}));
      EXPECT_FALSE(sum.is_under_way());
    }
    collective::barrier(rank);
  });
}

TEST(TreeSum, EveryRankGetsEverySum) { every_rank_gets_every_sum(collective::SumForm::tree); }
TEST(DoublingSum, EveryRankGetsEverySum) { every_rank_gets_every_sum(collective::SumForm::doubling); }

// RowNumbers whose sum depends on the order: every rank has the same bits none the less.
TEST(DoublingSum, EveryRankGetsTheSameBits) {
  on_each_team([](Rank& rank) {
    collective::DoublingSum sum(rank);
    sum.start({std::pow(10.0, -3 * rank.rank()) / 3});
    std::optional<std::vector<double>> result;
    while (!(result = sum.sum_if_done())) pause(rank, 1e-4);
    collective::barrier(rank);
    EXPECT_EQ(result->front(), collective::broadcast(rank, 0, result->front()));
    EXPECT_NEAR(result->front(), (1 - std::pow(1e-3, rank.size())) / (1 - 1e-3) / 3, 8 * 2.3e-16);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
