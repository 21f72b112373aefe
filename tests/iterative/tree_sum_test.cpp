#include "comm/collective/tree_sum.hpp"

#include "comm/wrap/checked.hpp"
#include "engine.hpp"

namespace overlapack::comm::conformance {
namespace {

// Ranks start their rounds at different times; every rank gets every sum, in order.
TEST(TreeSum, EveryRankGetsEverySum) {
  on_each_team([](Rank& engine) {
    CheckedRank rank(engine, {.seed = 3});
    collective::TreeSum sum(rank);
    EXPECT_FALSE(sum.look().has_value());
    for (int round = 1; round <= 20; ++round) {
      sum.start({static_cast<double>(round * (rank.rank() + 1)), 1.0});
      EXPECT_THROW(sum.start({0.0, 0.0}), Error);
      std::optional<std::vector<double>> result;
      while (!(result = sum.look())) rank.wait_any({}, {}, rank.now() + 1e-4);
      const double p = rank.size();
      EXPECT_EQ(*result, (std::vector<double>{round * p * (p + 1) / 2, p}));
      EXPECT_FALSE(sum.is_under_way());
    }
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
