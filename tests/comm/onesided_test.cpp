#include "comm/collective/collective.hpp"
#include "comm/onesided/pair_swap.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"

// Swaps of rows between two ranks (paper 3, section 2), on every engine. How often they synchronise is counted by a wrapper of
// the rank, not by the code that claims it.
namespace overlapack::comm::conformance {
namespace {

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

}  // namespace
}  // namespace overlapack::comm::conformance
