#include "comm/collective/collective.hpp"
#include "comm/onesided/direct_broadcasts.hpp"
#include "comm/onesided/pair_swap.hpp"
#include "comm/wrap/counted.hpp"
#include "comm/wrap/observed_window.hpp"
#include "engine.hpp"

#include <algorithm>

// Swaps of rows between two ranks, and direct broadcasts (paper 3, section 2), on every engine. How often they synchronise is
// counted by a wrapper of the rank, not by the code that claims it.
namespace overlapack::comm::conformance {
namespace {

using onesided::DirectBroadcasts;
using onesided::generic_swap;
using onesided::PairSwap;
using onesided::Signals;
using onesided::Strided;

constexpr std::size_t rows = 5, columns = 7, words = rows * columns;

std::int64_t entry(int rank, std::size_t i, std::size_t j) {
  return std::int64_t{rank} * 1000 + static_cast<std::int64_t>(i * 10 + j);
}

/// Row `row` of a column-major rows x columns matrix of 8-byte numbers.
Strided row_of(std::size_t row) { return {row * 8, 8, rows * 8, columns}; }

TEST(PairSwap, ExchangesRowsWithTwoSynchronisations) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    const auto window = rank.make_window(words * 8);
    auto* const A = reinterpret_cast<std::int64_t*>(window->local().data());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) A[i + j * rows] = entry(rank.rank(), i, j);
    if (const int partner = rank.rank() ^ 1; partner < rank.size()) {
      Signals signals(rank, *window);
      // rows 1 and 4 of the first with 3 and 0 of the second
      const bool is_first = rank.rank() < partner;
      const std::size_t mine[] = {is_first ? 1u : 3u, is_first ? 4u : 0u};
      const std::size_t theirs[] = {is_first ? 3u : 1u, is_first ? 0u : 4u};
      for (int round = 1; round <= 3; ++round) {
        PairSwap swap(signals, *window, partner, {row_of(theirs[0]), row_of(theirs[1])});
        swap.get();
        swap.finish();
        const auto* values = reinterpret_cast<const std::int64_t*>(swap.values().data());
        for (const std::size_t row : mine)
          for (std::size_t j = 0; j < columns; ++j) A[row + j * rows] = *values++;
        EXPECT_EQ(counts.signals, 2 * round);
        EXPECT_EQ(counts.signals_awaited, 2 * round);
      }
      EXPECT_EQ(counts.got.bytes, 3 * 2 * columns * 8);
      EXPECT_EQ(counts.put.messages, 0);
      for (std::size_t j = 0; j < columns; ++j) {  // swapped an odd number of times
        EXPECT_EQ(A[mine[0] + j * rows], entry(partner, theirs[0], j));
        EXPECT_EQ(A[mine[1] + j * rows], entry(partner, theirs[1], j));
        EXPECT_EQ(A[2 + j * rows], entry(rank.rank(), 2, j));
      }
    }
    collective::barrier(rank);
  });
}

// All pairs, one after the other, through one buffer.
TEST(PairSwap, GeneralTransfersTakeThree) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    const auto window = rank.make_window((words + static_cast<std::size_t>(rank.size())) * 8);
    Signals signals(rank, *window);
    for (int partner = 0; partner < rank.size(); ++partner) {
      if (partner == rank.rank()) continue;
      // of different length in both directions
      const auto sent = pattern(rank.rank(), partner, 1, 3 + static_cast<std::size_t>(rank.rank()));
      std::vector<std::int64_t> got(3 + static_cast<std::size_t>(partner));
      generic_swap(signals, *window, partner, 16, std::as_bytes(std::span(sent)),
                   std::as_writable_bytes(std::span(got)));
      EXPECT_EQ(got, pattern(partner, rank.rank(), 1, got.size()));
    }
    EXPECT_EQ(counts.signals, 3 * (rank.size() - 1));
    EXPECT_EQ(counts.signals_awaited, 3 * (rank.size() - 1));
    collective::barrier(rank);
  });
}

/// Direct broadcasts among all ranks, of bodies of `most` words at most.
class BroadcastsOfAll {
 public:
  static constexpr std::size_t most = 40;

  explicit BroadcastsOfAll(Rank& rank, int told_by_one = 2)
      : rank_(rank),
        bodies_(observe(rank.make_window(2 * most * 8))),
        others_(rank.make_window(0)),
        ready_(rank, *bodies_),
        read_(rank, *others_),
        broadcasts_(ready_, *bodies_, read_, 0, most * 8, told_by_one) {
    for (int r = 0; r < rank.size(); ++r) group_.ranks.push_back(r);
    group_.me = rank.rank();
  }

  static std::vector<std::int64_t> body(int root, int round) {
    return pattern(root, round, 2, static_cast<std::size_t>(round) % most);
  }
  std::unique_ptr<collective::Broadcast> start(int root, int round) {
    const auto values = body(root, round);
    return broadcasts_.start(
        group_, root, values.size() * 8,
        rank_.rank() == root ? Body::copy_of(std::span<const std::int64_t>(values)) : Body());
  }
  static void expect(collective::Broadcast& broadcast, int root, int round) {
    const Body got = broadcast.finish();
    const auto values = got.as<std::int64_t>();
    EXPECT_EQ(std::vector<std::int64_t>(values.begin(), values.end()), body(root, round));
  }

  int gets_under_way = 0;  ///< of this rank

 private:
  std::unique_ptr<Window> observe(std::unique_ptr<Window> bodies) {
    using What = ObservedWindow::What;
    return std::make_unique<ObservedWindow>(std::move(bodies),
                                            [this](const auto& access, FunctionRef<void()> run) {
                                              run();
                                              if (access.what == What::get) ++gets_under_way;
                                              if (access.what == What::flush) gets_under_way = 0;
                                            });
  }

  Rank& rank_;
  std::unique_ptr<Window> bodies_, others_;
  Signals ready_, read_;
  DirectBroadcasts broadcasts_;
  collective::Group group_;
};

// The root tells some that its body is ready, however many there are, and each reader tells the root that it has read it.
TEST(DirectBroadcasts, ReadinessGoesDownATree) {
  on_each_team([](Rank& engine) {
    for (const int most_told : {1, 2, 3, 8}) {
      Counts counts;
      CountedRank rank(engine, counts);
      BroadcastsOfAll all(rank, most_told);
      constexpr int rounds = 9;
      for (int round = 0; round < rounds; ++round) BroadcastsOfAll::expect(*all.start(0, round), 0, round);
      collective::barrier(rank);
      // the first that this rank tells is most_told * rank + 1
      const int told = std::clamp(rank.size() - 1 - rank.rank() * most_told, 0, most_told),
                has_read = rank.rank() > 0;
      EXPECT_EQ(counts.signals, rounds * (told + has_read));
    }
  });
}

TEST(DirectBroadcasts, TwoUnderWayFromAnyRoots) {
  on_each_team([](Rank& rank) {
    BroadcastsOfAll all(rank);
    const auto root = [&](int round) { return round * round % rank.size(); };
    auto before = all.start(root(0), 0);
    for (int round = 1; round < 60; ++round) {
      auto next = all.start(root(round), round);
      BroadcastsOfAll::expect(*before, root(round - 1), round - 1);
      before = std::move(next);
    }
    before->finish();
    collective::barrier(rank);
  });
}

// What a get writes to goes with its broadcast, which may be given up by an error before it has ended. Simulated ones write nothing.
TEST(DirectBroadcasts, CompleteTheirGetsWhenTheyAreGivenUp) {
  on_each_team([](Rank& rank) {
    BroadcastsOfAll all(rank);
    auto broadcast = all.start(0, 5);
    while (rank.rank() != 0 && all.gets_under_way == 0) pause(rank, 1e-4);
    broadcast.reset();
    EXPECT_TRUE(all.gets_under_way == 0 || rank.capabilities().virtual_time);
    collective::barrier(rank);
  });
}

// Rank 1 is the root of the second broadcast and passes the first one on to rank 3, which counts both from rank 1: rank 1 must not
// tell of its own body before rank 0 has told of the first.
TEST(DirectBroadcasts, ReadinessIsPassedOnInOrder) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 4) return;
    BroadcastsOfAll all(rank);
    const auto tell = [&](int to) { rank.start_send(Lane::user, to, {}, Body()); };
    std::unique_ptr<collective::Broadcast> first, second;
    if (rank.rank() == 0) receive(rank, Lane::user, 3);
    first = all.start(0, 5);
    second = all.start(1, 6);
    if (rank.rank() == 1) tell(3);
    if (rank.rank() == 3) {
      receive(rank, Lane::user, 1);
      rank.poll();
      tell(0);
    }
    BroadcastsOfAll::expect(*first, 0, 5);
    BroadcastsOfAll::expect(*second, 1, 6);
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
