// Memory of the system that waits for the next request.
#include "base/large_memory.hpp"

#include "base/arena.hpp"
#include "base/block_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace overlapack {

namespace {

bool are_zero(const std::byte* data, std::size_t bytes) {
  return std::all_of(data, data + bytes, [](std::byte b) { return b == std::byte{0}; });
}

/// While it lives, nothing waits but what its user frees.
class NothingWaits {
 public:
  NothingWaits() {
    for (LargeMemory memory; !(memory = allocate_large(least_large_bytes)).is_zero;) taken_.push_back(memory);
  }
  ~NothingWaits() {
    for (const LargeMemory& memory : taken_) free_large(memory.data, memory.bytes);
  }

 private:
  std::vector<LargeMemory> taken_;
};

TEST(LargeMemory, SizesAreWholeUnitsAndHoldTheRequest) {
  for (std::size_t bytes = least_large_bytes; bytes < (std::size_t{1} << 32); bytes += bytes / 3 + 1) {
    EXPECT_GE(rounded_large_bytes(bytes), bytes);
    EXPECT_LT(rounded_large_bytes(bytes), bytes + large_unit);
    EXPECT_EQ(rounded_large_bytes(bytes) % large_unit, 0u);
  }
}

#ifndef __SANITIZE_ADDRESS__  // which lets nothing wait
TEST(LargeMemory, WhatWasGivenBackIsTakenAgain) {
  const NothingWaits of_others;
  const LargeMemory first = allocate_large(300000);
  ASSERT_NE(first.data, nullptr);
  std::fill_n(first.data, first.bytes, std::byte{1});
  free_large(first.data, first.bytes);
  const LargeMemory again = allocate_large(299000);
  EXPECT_EQ(again.data, first.data);
  EXPECT_FALSE(again.is_zero);
  const LargeMemory other = allocate_large(299000);
  EXPECT_NE(other.data, first.data);
  EXPECT_TRUE(other.is_zero);
  EXPECT_TRUE(are_zero(other.data, other.bytes));
  free_large(again.data, again.bytes);
  free_large(other.data, other.bytes);
}

TEST(LargeMemory, NeighboursAreJoinedAndCutAgain) {
  const NothingWaits of_others;
  const std::size_t mb = std::size_t{1} << 20;
  const LargeMemory whole = allocate_large(40 * mb);
  free_large(whole.data, whole.bytes);
  std::vector<LargeMemory> parts;
  for (std::size_t k = 0; k < 4; ++k) {
    parts.push_back(allocate_large(10 * mb));
    EXPECT_EQ(parts[k].data, whole.data + k * 10 * mb);
    EXPECT_FALSE(parts[k].is_zero);
  }
  for (const std::size_t k : {0, 2, 1}) free_large(parts[k].data, parts[k].bytes);
  const LargeMemory joined = allocate_large(30 * mb);
  EXPECT_EQ(joined.data, whole.data);
  free_large(joined.data, joined.bytes);
  free_large(parts[3].data, parts[3].bytes);
  const LargeMemory again = allocate_large(40 * mb);
  EXPECT_EQ(again.data, whole.data);
  free_large(again.data, again.bytes);
}

TEST(LargeMemory, TheSmallestThatFitsIsCut) {
  const NothingWaits of_others;
  const std::size_t mb = std::size_t{1} << 20;
  std::vector<LargeMemory> given;
  for (const std::size_t bytes : {11 * mb, mb, 9 * mb, mb, 14 * mb, mb})
    given.push_back(allocate_large(bytes));
  for (const std::size_t k : {0, 2, 4}) free_large(given[k].data, given[k].bytes);
  const LargeMemory cut = allocate_large(8 * mb);
  EXPECT_EQ(cut.data, given[2].data);
  free_large(cut.data, cut.bytes);
  for (const std::size_t k : {1, 3, 5}) free_large(given[k].data, given[k].bytes);
}

/// More than was in use before in all. Nothing is written to it.
LargeMemory most_so_far() {
  static std::size_t bytes = std::size_t{2} << 30;
  return allocate_large(bytes += std::size_t{1} << 30);
}

bool is_mapped(const LargeMemory& memory) {
  unsigned char page = 0;
  return mincore(memory.data, 1, &page) == 0;
}

TEST(LargeMemory, WhatWaitsIsLittleBesideTheMostInUse) {
  const NothingWaits of_others;
  const std::size_t mb = std::size_t{1} << 20;
  std::vector<LargeMemory> held, freed;
  for (int k = 0; k < 40; ++k) {
    freed.push_back(allocate_large(3 * mb / 2));
    held.push_back(allocate_large(3 * mb / 2));  // keeps the freed ones apart
  }
  for (const LargeMemory& memory : freed) free_large(memory.data, memory.bytes);
  held.push_back(most_so_far());
  const auto left = static_cast<std::size_t>(std::ranges::count_if(freed, is_mapped));
  EXPECT_LE(left * 3 * mb / 2, 8 * mb);
  for (const LargeMemory& memory : held) free_large(memory.data, memory.bytes);
}

TEST(LargeMemory, WhatWaitsGoesBackForAnArenaThatIsWrittenTo) {
  const NothingWaits of_others;
  const std::size_t mb = std::size_t{1} << 20;
  Arena arena(1000 * mb);
  const LargeMemory most = most_so_far(), early = allocate_large(40 * mb);
  free_large(early.data, early.bytes);
  EXPECT_TRUE(is_mapped({early.data + 39 * mb, mb, false}));
  for (int k = 0; k < 20; ++k) arena.unset<std::byte>(5 * mb);
  EXPECT_FALSE(is_mapped({early.data + 9 * mb, mb, false}));
  free_large(most.data, most.bytes);
}

TEST(LargeMemory, OfManyHugePagesBeginsWithOne) {
  const NothingWaits of_others;
  for (const std::size_t bytes : {5 * huge_page_bytes, 33 * huge_page_bytes + 300000, 65 * huge_page_bytes}) {
    const LargeMemory memory = allocate_large(bytes);
    EXPECT_EQ(std::bit_cast<std::uintptr_t>(memory.data) % huge_page_bytes, 0u);
    memory.data[0] = memory.data[memory.bytes - 1] = std::byte{1};
    free_large(memory.data, memory.bytes);
  }
}

TEST(LargeMemory, SmallerOnesAreCutOneAfterTheOtherAndTheRestWaits) {
  const NothingWaits of_others;
  const std::size_t size = rounded_large_bytes(huge_page_bytes - 300000),
                    rest_of_four = 4 * huge_page_bytes - 4 * size;
  std::vector<LargeMemory> taken;
  for (int i = 0; i < 9; ++i) {
    taken.push_back(allocate_large(size));
    ASSERT_NE(taken.back().data, nullptr);
    EXPECT_EQ(taken.back().bytes, size);
    EXPECT_TRUE(are_zero(taken.back().data, size));
    std::fill_n(taken.back().data, size, std::byte{1});
  }
  int neighbours = 0;
  for (std::size_t i = 1; i < taken.size(); ++i) neighbours += taken[i].data == taken[i - 1].data + size;
  EXPECT_GE(neighbours, 5);  // four of each four huge pages, wherever the first began
  const LargeMemory rest = allocate_large(rest_of_four);
  for (const LargeMemory& memory : taken) {
    EXPECT_FALSE(rest.data < memory.data + size && memory.data < rest.data + rest.bytes);
    free_large(memory.data, memory.bytes);
  }
  free_large(rest.data, rest.bytes);
}

TEST(LargeMemory, TheLargestGoesWhereTooMuchWaits) {
  const NothingWaits of_others;
  std::vector<LargeMemory> freed;
  for (int k = 0; k < 3; ++k) freed.push_back(allocate_large(waiting_bytes_at_most / 2));
  for (const LargeMemory& memory : freed) free_large(memory.data, memory.bytes);
  std::size_t mapped = 0;
  for (const LargeMemory& memory : freed)
    for (std::size_t at = 0; at < memory.bytes; at += large_unit)
      mapped += is_mapped({memory.data + at, large_unit}) ? large_unit : 0;
  EXPECT_GT(mapped, 0u);
  EXPECT_LE(mapped, waiting_bytes_at_most);
}
#endif

TEST(LargeMemory, AnArenaAndAVectorAreZeroInMemoryThatWasUsed) {
  constexpr std::size_t count = 100000;
  for (int round = 0; round < 3; ++round) {
    Arena arena(count * sizeof(double));
    const auto* const zeros = arena.zeros<double>(count);
    EXPECT_TRUE(are_zero(reinterpret_cast<const std::byte*>(zeros), count * sizeof(double)));
    std::fill_n(arena.zeros<double>(count), count, 1.0);
    LargeVector<double> vector(count);
    EXPECT_EQ(std::ranges::count(vector, 0.0), count);
    std::ranges::fill(vector, 2.0);
  }
}

/// A request just below what is large, which whole cache lines make large: the heap's memory must not wait among the system's.
TEST(LargeMemory, OfAnArenaIsOfTheSystemOrOfTheHeapToItsEnd) {
  for (const std::size_t below : {1, 63, 64, 65}) {
    std::vector<Arena> arenas;
    for (int k = 0; k < 8; ++k) arenas.emplace_back(least_large_bytes - below).zeros<char>(1);
    arenas.clear();
    std::vector<LargeMemory> taken(8);
    for (LargeMemory& memory : taken) {
      memory = allocate_large(least_large_bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data) % 4096, 0u) << below;
    }
    for (const LargeMemory& memory : taken) free_large(memory.data, memory.bytes);
  }
}

/// Blocks of all sizes, reused, each full of its own name as long as it is held.
TEST(BlockPool, BlocksHoldWhatWasRequested) {
  struct Held {
    Block block;
    std::size_t bytes = 0;
    std::byte name{};
  };
  std::mt19937 random(7);
  std::vector<Held> held(12);
  BlockPool pool;
  for (int k = 0; k < 4000; ++k) {
    Held& one = held[random() % held.size()];
    ASSERT_TRUE(std::all_of(one.block.data.get(), one.block.data.get() + one.bytes,
                            [&](std::byte b) { return b == one.name; }));
    pool.put_back(std::move(one.block));
    EXPECT_LE(pool.kept_bytes(), BlockPool::most_kept_bytes);
    const double log2 = 4 + 16 * std::generate_canonical<double, 32>(random);
    one.bytes = static_cast<std::size_t>(std::exp2(log2));
    one.block = pool.allocate(one.bytes);
    ASSERT_GE(one.block.data.get_deleter().bytes, one.block.bytes);
    ASSERT_GE(one.block.bytes, one.bytes);
    one.name = static_cast<std::byte>(k % 251);
    std::fill_n(one.block.data.get(), one.bytes, one.name);
  }
}

TEST(BlockPool, KeepsNothingWhereItIsAskedTo) {
  BlockPool pool;
  pool.put_back(pool.allocate(5000));
  EXPECT_GT(pool.kept_bytes(), 0u);
  pool.clear();
  pool.keep_nothing();
  pool.put_back(pool.allocate(5000));
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

/// Each thread writes its name all over what it takes: nobody else has it at that time.
TEST(LargeMemory, ThreadsTakeAndGiveAtOnce) {
  std::vector<int> failed(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &failed] {
      BlockPool pool;
      for (std::size_t k = 0; k < 200; ++k) {
        const std::size_t bytes = least_large_bytes + 4096 * (k % 7);
        Block block = pool.allocate(bytes);
        const auto mine = static_cast<std::byte>(t + 1);
        std::fill_n(block.data.get(), bytes, mine);
        std::this_thread::yield();
        failed[t] += static_cast<int>(std::count(block.data.get(), block.data.get() + bytes, mine) !=
                                      static_cast<std::ptrdiff_t>(bytes));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, std::vector<int>(4, 0));
}

/// A child has no thread that could give the lock back which another thread of its parent held.
TEST(LargeMemory, ChildrenOfAForkTakeWhileThreadsOfTheirParentDo) {
  std::atomic<bool> is_over{false};
  std::thread busy([&] {
    while (!is_over) {
      const LargeMemory memory = allocate_large(least_large_bytes);
      free_large(memory.data, memory.bytes);
    }
  });
  int failed = 0;
  for (int k = 0; k < 100; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // ends a child that waits for ever
      const LargeMemory memory = allocate_large(least_large_bytes);
      free_large(memory.data, memory.bytes);
      _exit(0);
    }
    int status = 1;
    failed += waitpid(child, &status, 0) != child || status != 0;
  }
  is_over = true;
  busy.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace

}  // namespace overlapack
