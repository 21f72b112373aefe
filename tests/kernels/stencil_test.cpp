#include "kernels/reference/stencil.hpp"

#include "base/random.hpp"
#include "kernels/product/flush_subnormals.hpp"
#include "kernels/small/dispatch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace overlapack::kernels {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::vector<double> random_values(const Box& box, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  for (double& v : values) v = random.uniform(-1, 1);
  return values;
}

// The last is wider than a strip of rows.
const Box boxes[] = {{0, 0, 0}, {1, 1, 1}, {1, 2, 3}, {7, 1, 4}, {8, 9, 2}, {33, 5, 6}, {200, 70, 3}};

// The order of six additions is free, and 1/6 is rounded: 8 epsilon of the largest.
TEST(Stencil, ASweepIsTheMeanOfTheNeighbours) {
  for (const Box& box : boxes) {
    const std::vector<double> u = random_values(box, 1), before = random_values(box, 2);
    std::vector<double> expected = before, got = before;
    reference::stencil_sweep(box, u.data(), expected.data());
    stencil_sweep(box, u.data(), got.data(), 1, box.nz + 1);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], expected[i], 8 * epsilon) << box.nx << " at " << i;
  }
}

TEST(Stencil, PlanesCanBeSweptInAnyParts) {
  const Box box{9, 8, 7};
  const std::vector<double> u = random_values(box, 3);
  std::vector<double> whole(u.size()), parts(u.size());
  stencil_sweep(box, u.data(), whole.data(), 1, box.nz + 1);
  stencil_sweep(box, u.data(), parts.data(), 4, 8);
  stencil_sweep(box, u.data(), parts.data(), 1, 1);
  EXPECT_NE(parts, whole);
  stencil_sweep(box, u.data(), parts.data(), 1, 4);
  EXPECT_EQ(parts, whole);
}

TEST(Stencil, AllLevelsGiveTheSameNumbers) {
  const std::string best{small_kernel_level()};
  for (const Box& box : boxes) {
    const std::vector<double> u = random_values(box, 5);
    std::vector<std::vector<double>> found;
    for (const auto level : small_kernel_levels()) {
      use_small_kernel_level(level);
      found.emplace_back(u.size());
      stencil_sweep(box, u.data(), found.back().data(), 1, box.nz + 1);
      EXPECT_EQ(found.back(), found.front()) << level;
    }
  }
  use_small_kernel_level(best);
}

// n terms of at most 12^2, each with 16 epsilon, added in any order.
TEST(Stencil, TheResidualIsThatOfTheSystem) {
  for (const Box& box : boxes) {
    const std::vector<double> u = random_values(box, 4);
    const double n = static_cast<double>(box.points());
    const double expected = reference::stencil_residual(box, u.data());
    EXPECT_NEAR(stencil_residual(box, u.data()), expected, (n + 16) * epsilon * expected);
    EXPECT_EQ(expected > 0, n > 0);
  }
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST(FlushSubnormals, AreZerosWhileItLives) {
  volatile double tiny = std::numeric_limits<double>::min();
  EXPECT_GT(tiny / 2, 0.0);
  {
    const FlushSubnormals flush(true);
    EXPECT_EQ(tiny / 2, 0.0);
    const FlushSubnormals nothing(false);
    EXPECT_EQ(tiny / 2, 0.0);
  }
  EXPECT_GT(tiny / 2, 0.0);
}
#endif

}  // namespace
}  // namespace overlapack::kernels
