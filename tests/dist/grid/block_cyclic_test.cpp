#include "dist/grid/block_cyclic.hpp"

#include "dist/grid/shared_runs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overlapack::dist {
namespace {

/// The obvious twin: deal the entries one by one.
struct Distributed {
  std::vector<int> owner;
  std::vector<Index> local;
  std::vector<std::vector<Index>> held;  ///< by process, global indices in local order
};
Distributed distribute(const BlockCyclic& map) {
  Distributed distributed;
  distributed.held.resize(static_cast<std::size_t>(map.processes));
  int process = map.source;
  for (Index g = 0; g < map.size; ++g) {
    if (g > 0 && g % map.block == 0) process = (process + 1) % map.processes;
    auto& held = distributed.held[static_cast<std::size_t>(process)];
    distributed.owner.push_back(process);
    distributed.local.push_back(static_cast<Index>(held.size()));
    held.push_back(g);
  }
  return distributed;
}

/// Sizes around the edges of blocks and turns, for every number of processes and every source.
template <class F>
void each_map(F&& test) {
  for (const Index b : {1, 2, 3, 5})
    for (int p = 1; p <= 4; ++p)
      for (int source = 0; source < p; ++source)
        for (const Index n :
             {Index{0}, Index{1}, b - 1, b, b + 1, p * b - 1, p * b, p * b + 1, 3 * p * b + b / 2}) {
          const BlockCyclic map{.size = n, .block = b, .processes = p, .source = source};
          SCOPED_TRACE(::testing::Message() << "n " << n << " b " << b << " p " << p << " source " << source);
          test(map);
        }
}

TEST(BlockCyclic, AgreesWithDealingOneByOne) {
  each_map([](const BlockCyclic& map) {
    const Distributed distributed = distribute(map);
    EXPECT_EQ(map.blocks() * map.block >= map.size && (map.blocks() - 1) * map.block < map.size, true);
    for (Index g = 0; g < map.size; ++g) {
      EXPECT_EQ(map.owner({g}), distributed.owner[static_cast<std::size_t>(g)]);
      EXPECT_EQ(map.local({g}).value, distributed.local[static_cast<std::size_t>(g)]);
      EXPECT_EQ(map.global(map.local({g}), map.owner({g})).value, g);
    }
    for (int q = 0; q < map.processes; ++q) {
      const auto& held = distributed.held[static_cast<std::size_t>(q)];
      EXPECT_EQ(map.local_size(q), static_cast<Index>(held.size()));
      Index before = 0;
      for (Index g = 0; g <= map.size; ++g) {
        EXPECT_EQ(map.count_before({g}, q).value, before);
        before += g < map.size && distributed.owner[static_cast<std::size_t>(g)] == q;
      }
    }
  });
}

TEST(SharedRuns, HoldWhatTheTwinSharesInGlobalOrder) {
  each_map([](const BlockCyclic& mine) {
    for (const Index b : {1, 4})
      for (int p = 1; p <= 3; ++p) {
        const BlockCyclic theirs{.size = mine.size, .block = b, .processes = p, .source = p - 1};
        const Distributed here = distribute(mine), there = distribute(theirs);
        for (int me = 0; me < mine.processes; ++me) {
          const auto runs = shared_runs(mine, me, theirs);
          EXPECT_EQ(runs.size(), static_cast<std::size_t>(p));
          for (int q = 0; q < p; ++q) {
            std::vector<Index> expected, got;  // local places here
            for (Index g = 0; g < mine.size; ++g)
              if (mine.owner({g}) == me && there.owner[static_cast<std::size_t>(g)] == q)
                expected.push_back(here.local[static_cast<std::size_t>(g)]);
            for (const auto& run : runs[static_cast<std::size_t>(q)])
              for (Index i = 0; i < run.length; ++i) got.push_back(run.first.value + i);
            EXPECT_EQ(got, expected);
            EXPECT_EQ(entries(runs[static_cast<std::size_t>(q)]), static_cast<Index>(expected.size()));
          }
        }
      }
  });
}

}  // namespace
}  // namespace overlapack::dist
