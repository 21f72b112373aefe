#pragma once
#include "comm/wrap/checked.hpp"
#include "engine.hpp"

namespace overlapack::comm::conformance {

/// One run of the work for each k throws at the k-th call of the last rank, until a run has no such call: every caller gets that
/// error. The work makes more than `least` calls.
inline void fault_at_every_call(std::int64_t least, const std::function<void(Rank&)>& work) {
  each_team({}, [&](Team& team) {
    bool has_thrown = true;
    for (std::int64_t k = 0; has_thrown && k < 10000; ++k) {
      has_thrown = false;
      try {
        team.run([&](Rank& engine) {
          CheckedRank rank(engine, {.seed = 5, .throw_at_call = engine.rank() == engine.size() - 1 ? k : -1});
          work(rank);
        });
      } catch (const Error& e) {
        has_thrown = true;
        EXPECT_EQ(std::string(e.what()), "a fault was injected at call " + std::to_string(k));
      }
      EXPECT_TRUE(has_thrown || k > least);
    }
    EXPECT_FALSE(has_thrown);
  });
}

}  // namespace overlapack::comm::conformance
