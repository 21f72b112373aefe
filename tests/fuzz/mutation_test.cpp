#include "base/random.hpp"
#include "fuzz/seeds.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace overlapack {
namespace {

/// Pieces that break readers more often than random bytes do.
constexpr std::string_view pieces[] = {"-1",
                                       "0",
                                       "99999999999999999999",
                                       "9223372036854775807",
                                       "2147483648",
                                       "1e400",
                                       "nan",
                                       "inf",
                                       "1D5",
                                       " ",
                                       "\n",
                                       "%",
                                       "1 1 1\n",
                                       "(",
                                       ")",
                                       "'",
                                       ",",
                                       "E",
                                       "+",
                                       "symmetric",
                                       "array",
                                       "complex",
                                       "PK\5\6",
                                       "PK\1\2",
                                       std::string_view("\0\0\0\0", 4),
                                       std::string_view("\xff\xff\xff\xff", 4)};

/// One random change: flip a bit, drop, double or cut a part, or put in a piece.
void mutate(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  const std::size_t at = random.below(bytes.size());
  const std::size_t length = 1 + random.below(std::min<std::size_t>(16, bytes.size() - at));
  switch (random.below(6)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4:
      bytes.insert(at, pieces[random.below(std::size(pieces))]);
      break;
    case 5:
      bytes.replace(at, length, pieces[random.below(std::size(pieces))]);
      break;
  }
}

TEST(Fuzz, MutatedFilesAreReadOrRefused) {
  const auto seeds = test::fuzz_seeds();
  Random random(20260101);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 600; ++round)
    for (const std::string& seed : seeds) {
      std::string bytes = seed;
      for (auto changes = 1 + random.below(4); changes > 0; --changes) mutate(bytes, random);
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
