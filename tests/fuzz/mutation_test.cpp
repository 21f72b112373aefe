#include "fuzz/mutate.hpp"
#include "fuzz/seeds.hpp"

#include <gtest/gtest.h>

namespace overlapack {
namespace {

TEST(Fuzz, MutatedFilesAreReadOrRefused) {
  const auto seeds = test::fuzz_seeds();
  Random random(20260101);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 600; ++round)
    for (const std::string& seed : seeds) {
      std::string bytes = seed;
      for (auto changes = 1 + random.below(4); changes > 0; --changes) test::mutate(bytes, random);
      try {
        (test::read_as_everything(bytes) > 0 ? accepted : refused)++;
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << " for a file of " << bytes.size()
                      << " bytes: " << bytes.substr(0, 300);
        return;
      }
    }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 5000);
}

TEST(Fuzz, EverySeedButThoseMeantToFailIsRead) {
  int accepted = 0;
  const auto seeds = test::fuzz_seeds();
  for (const std::string& seed : seeds) accepted += test::read_as_everything(seed) > 0;
  EXPECT_EQ(accepted, static_cast<int>(seeds.size()) - 2);  // bsr.npz and big_endian.npy are refused
}

}  // namespace
}  // namespace overlapack
