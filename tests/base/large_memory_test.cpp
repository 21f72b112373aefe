// Memory of the system that waits for the next request.
#include "base/large_memory.hpp"

#include "base/arena.hpp"
#include "base/block_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <thread>
#include <vector>

namespace overlapack {

namespace {

bool are_zero(const std::byte* data, std::size_t bytes) {
  return std::all_of(data, data + bytes, [](std::byte b) { return b == std::byte{0}; });
}

TEST(LargeMemory, SizesAreAnEighthApartAndHoldTheRequest) {
  for (std::size_t bytes = least_large_bytes; bytes < (std::size_t{1} << 32); bytes += bytes / 3 + 1) {
    EXPECT_GE(rounded_large_bytes(bytes), bytes);
    EXPECT_LE(rounded_large_bytes(bytes), bytes + bytes / 8);
    EXPECT_EQ(rounded_large_bytes(rounded_large_bytes(bytes)), rounded_large_bytes(bytes));
  }
}

#ifndef __SANITIZE_ADDRESS__  // which lets nothing wait
TEST(LargeMemory, WhatWasGivenBackIsTakenAgain) {
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

TEST(LargeMemory, ALooseRequestTakesTheSmallestThatFits) {
  const std::size_t mb = std::size_t{1} << 20;
  std::vector<LargeMemory> given;
  for (const std::size_t bytes : {11 * mb, 9 * mb, 14 * mb}) given.push_back(allocate_large(bytes));
  for (const LargeMemory& memory : given) free_large(memory.data, memory.bytes);
  const LargeMemory loose = allocate_large(8 * mb, Pages::huge, Fit::loose);
  EXPECT_EQ(loose.data, given[1].data);
  EXPECT_EQ(loose.bytes, given[1].bytes);
  EXPECT_FALSE(loose.is_zero);
  const LargeMemory exact = allocate_large(10 * mb), small = allocate_large(6 * mb, Pages::huge, Fit::loose);
  for (const LargeMemory& memory : given) {
    EXPECT_NE(exact.data, memory.data);  // none of that size
    EXPECT_NE(small.data, memory.data);  // all more than half as large again
  }
  for (const LargeMemory& memory : {loose, exact, small}) free_large(memory.data, memory.bytes);
}

TEST(LargeMemory, BeginsWithAHugePage) {
  for (const std::size_t bytes : {huge_page_bytes, huge_page_bytes + 300000, 33 * huge_page_bytes}) {
    const LargeMemory memory = allocate_large(bytes);
    EXPECT_EQ(std::bit_cast<std::uintptr_t>(memory.data) % huge_page_bytes, 0u);
    memory.data[0] = memory.data[memory.bytes - 1] = std::byte{1};
    free_large(memory.data, memory.bytes);
  }
}

TEST(LargeMemory, SmallerOnesAreCutOneAfterTheOtherAndTheRestWaits) {
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
  const std::size_t fits = rest_of_four - rest_of_four % (std::bit_floor(rest_of_four) / 8);
  const LargeMemory rest = allocate_large(fits);
  EXPECT_FALSE(rest.is_zero);  // it may have been written to by nobody, but it waited
  for (const LargeMemory& memory : taken) {
    EXPECT_FALSE(rest.data < memory.data + size && memory.data < rest.data + rest.bytes);
    free_large(memory.data, memory.bytes);
  }
  free_large(rest.data, rest.bytes);
}

TEST(LargeMemory, TheOldestGoesWhereTooMuchWaits) {
  const LargeMemory oldest = allocate_large(waiting_bytes_at_most / 2),
                    last = allocate_large(waiting_bytes_at_most);
  *oldest.data = std::byte{1};
  *last.data = std::byte{1};
  free_large(oldest.data, oldest.bytes);
  free_large(last.data, last.bytes);
  const LargeMemory a = allocate_large(waiting_bytes_at_most / 2), b = allocate_large(waiting_bytes_at_most);
  EXPECT_TRUE(a.is_zero);
  EXPECT_EQ(b.data, last.data);
  free_large(a.data, a.bytes);
  free_large(b.data, b.bytes);
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
