#include "comm/engine/mpi/plugin/parts.hpp"

#include <gtest/gtest.h>

#include <vector>

// How accesses to windows are cut for MPI, whose counts are int.
namespace overlapack::comm::mpi::plugin {
namespace {

struct Part {
  OverlapackStrides there;
  std::int64_t here;
};

std::vector<Part> parts_of(const OverlapackStrides& at) {
  std::vector<Part> parts;
  EXPECT_EQ(in_parts(at,
                     [&](const OverlapackStrides& part, std::int64_t here) {
                       parts.push_back({part, here});
                       return 0;
                     }),
            0);
  return parts;
}

/// Each byte once, in order, none too many for an int.
void expect_whole(const OverlapackStrides& at, const std::vector<Part>& parts) {
  std::int64_t done = 0;
  for (const auto& [there, here] : parts) {
    EXPECT_EQ(here, done);
    const std::int64_t block = done / at.block_bytes, inside = done % at.block_bytes;
    EXPECT_EQ(there.offset, at.offset + block * at.stride_bytes + inside);
    EXPECT_EQ(there.stride_bytes, at.stride_bytes);
    EXPECT_LE(there.block_bytes * there.blocks, part_bytes);
    EXPECT_LE(there.block_bytes, at.block_bytes - inside);
    EXPECT_TRUE(there.blocks == 1 || there.block_bytes == at.block_bytes);
    done += there.block_bytes * there.blocks;
  }
  EXPECT_EQ(done, at.blocks * at.block_bytes);
}

TEST(Parts, AreFewHoweverSmallTheBlocks) {
  // rows of a matrix of 8-byte numbers, one more than a part has room for; two GiB of them
  for (const std::int64_t blocks : {part_bytes / 8 - 1, part_bytes / 8, part_bytes / 8 + 1, part_bytes / 4}) {
    const OverlapackStrides at{24, 8, 80, blocks};
    const auto parts = parts_of(at);
    EXPECT_EQ(std::ssize(parts), (blocks * 8 + part_bytes - 1) / part_bytes);
    expect_whole(at, parts);
  }
  expect_whole({0, 1, 2, 3 * part_bytes}, parts_of({0, 1, 2, 3 * part_bytes}));
}

TEST(Parts, LargeBlocksAreCut) {
  for (const std::int64_t bytes : {part_bytes - 1, part_bytes, part_bytes + 1, 5 * part_bytes + 3}) {
    const OverlapackStrides at{8, bytes, bytes + 8, 3};
    const auto parts = parts_of(at);
    EXPECT_EQ(std::ssize(parts), 3 * ((bytes + part_bytes - 1) / part_bytes));
    expect_whole(at, parts);
  }
}

TEST(Parts, OfNothingThereAreNone) {
  EXPECT_TRUE(parts_of({8, 0, 8, 3}).empty());
  EXPECT_TRUE(parts_of({8, 8, 8, 0}).empty());
}

TEST(Parts, TheFirstErrorEndsIt) {
  int calls = 0;
  EXPECT_EQ(in_parts({0, part_bytes, part_bytes, 4},
                     [&](const OverlapackStrides&, std::int64_t) { return ++calls == 2 ? 7 : 0; }),
            7);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace overlapack::comm::mpi::plugin
