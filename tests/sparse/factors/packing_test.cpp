#include "sparse/factors/packing.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace overlapack::sparse {
namespace {

struct Padded {
  double number;
  bool is_set;
};

#if __has_builtin(__builtin_clear_padding)
TEST(Packing, BytesBetweenMembersAreZero) {
  std::vector<comm::Body> bodies;
  for (const int rubbish : {0x55, 0xaa}) {
    Padded value;
    std::memset(static_cast<void*>(&value), rubbish, sizeof value);
    value.number = 3;
    value.is_set = true;
    Packing packing;
    packing.add_value(value);
    bodies.push_back(std::move(packing).body());
  }
  ASSERT_EQ(bodies[0].size(), bodies[1].size());
  EXPECT_EQ(std::memcmp(bodies[0].data(), bodies[1].data(), bodies[0].size()), 0);
  Unpacking unpacking(bodies[0]);
  const auto value = unpacking.next_value<Padded>();
  EXPECT_EQ(value.number, 3);
  EXPECT_TRUE(value.is_set);
}
#endif

}  // namespace
}  // namespace overlapack::sparse
