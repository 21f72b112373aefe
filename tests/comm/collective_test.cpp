#include "comm/collective/collective.hpp"

#include "engine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace overlapack::comm::conformance {
namespace {

TEST(Collectives, NobodyLeavesABarrierBeforeAllAreIn) {
  on_each_team([](Rank& rank) {
    // each rank tells all others that it is about to enter; after the barrier these messages must have arrived
    for (int round = 0; round < 5; ++round) {
      for (int to = 0; to < rank.size(); ++to) rank.start_send(Lane::user, to, {.kind = round}, {});
      collective::barrier(rank);
      for (int from = 0; from < rank.size(); ++from) {
        if (is_thread()) {
          EXPECT_TRUE(rank.probe(Lane::user, from).has_value());
        }
        EXPECT_EQ(receive(rank, Lane::user, from).header.kind, round);
      }
    }
  });
}

TEST(Collectives, TreePositionsFormOneTreeForEachRoot) {
  for (int size = 1; size <= 9; ++size)
    for (int root = 0; root < size; ++root) {
      int with_parent = 0;
      for (int r = 0; r < size; ++r) {
        const auto position = collective::tree_position(r, size, root);
        EXPECT_EQ(position.parent < 0, r == root);
        with_parent += position.parent >= 0;
        for (const int child : {position.left, position.right})
          if (child >= 0) {
            EXPECT_EQ(collective::tree_position(child, size, root).parent, r);
          }
      }
      EXPECT_EQ(with_parent, size - 1);
    }
}

TEST(Collectives, AListIsTheRootsOwnWhereRanksShareMemory) {
  on_each_team([](Rank& rank) {
    const int root = rank.size() - 1;
    SharedList<Index> mine;
    if (rank.rank() == root) mine = {3, 1, 4, 1, 5};
    const SharedList<Index> got = collective::broadcast(rank, root, mine);
    EXPECT_TRUE(std::ranges::equal(got, std::array<Index, 5>{3, 1, 4, 1, 5}));
    const auto position = reinterpret_cast<std::uintptr_t>(got.data());
    if (rank.capabilities().shared_memory) {
      EXPECT_EQ(position, collective::broadcast(rank, root, position));
    }
    EXPECT_TRUE(collective::broadcast(rank, root, SharedList<char>()).empty());
  });
}

TEST(Collectives, BroadcastFromEachRoot) {
  on_each_team([](Rank& rank) {
    for (int root = 0; root < rank.size(); ++root) {
      Body mine;
      if (rank.rank() == root) mine = Body::adopt(pattern(root, 0, 1, 777));
      const Body got = collective::broadcast(rank, root, mine);
      EXPECT_TRUE(holds_pattern(Message{{}, got, root, Lane::collective}, 0, 1, 777));
    }
  });
}

TEST(Collectives, ReduceCombinesEachEntryOfEachRankOnce) {
  on_each_team([](Rank& rank) {
    const std::int64_t p = rank.size(), sum = p * (p + 1) / 2;
    for (int root = 0; root < rank.size(); ++root) {
      const std::int64_t position = rank.rank() + 1;
      std::vector<std::int64_t> x{1, position, position * position * position};
      collective::reduce(rank, root, std::span(x), std::plus<>());
      if (rank.rank() == root) {
        EXPECT_EQ(x, (std::vector<std::int64_t>{p, sum, sum * sum}));
      }
    }
    std::vector<double> y{static_cast<double>(rank.rank()), -1.0};
    collective::all_reduce(rank, std::span(y), [](double a, double b) { return std::max(a, b); });
    EXPECT_EQ(y, (std::vector<double>{static_cast<double>(p - 1), -1.0}));
    EXPECT_EQ(collective::all_reduce(rank, rank.rank() == 0 ? 7 : 1, std::multiplies<>()), 7);
  });
}

TEST(Collectives, ReduceOfDifferentLengthsIsAnError) {
  each_team({}, [](Team& team) {
    if (team.size() == 1) return;
    EXPECT_THROW(team.run([](Rank& rank) {
      std::vector<int> x(rank.rank() == 0 ? 2 : 3);
      collective::all_reduce(rank, std::span(x), std::plus<>());
    }),
                 Error);
  });
}

TEST(Collectives, GatherAndScatterKeepTheRanksApart) {
  on_each_team([](Rank& rank) {
    for (int root = 0; root < rank.size(); ++root) {
      const auto length = static_cast<std::size_t>(3 * rank.rank());  // rank 0 brings nothing
      auto all = collective::gather(rank, root, Body::adopt(pattern(rank.rank(), root, 2, length)));
      EXPECT_EQ(all.size(), rank.rank() == root ? static_cast<std::size_t>(rank.size()) : 0u);
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_TRUE(
            holds_pattern(Message{{}, all[i], static_cast<int>(i), Lane::collective}, root, 2, 3 * i));
      const Body back = collective::scatter(rank, root, std::move(all));
      EXPECT_TRUE(holds_pattern(Message{{}, back, rank.rank(), Lane::collective}, root, 2, length));
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
