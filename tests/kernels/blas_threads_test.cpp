#include "kernels/blas_threads.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <thread>
#include <vector>

namespace overlapack::kernels {
namespace {

struct BlasThreadsTest : ::testing::Test {
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));

  void SetUp() override {
    if (!get || !set) GTEST_SKIP() << "the BLAS of this build is not OpenBLAS";
    set(2);
  }
};

TEST_F(BlasThreadsTest, TheLastGuardRestores) {
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(get(), 1);
    {
      const SingleThreadedBlas inner;
      EXPECT_EQ(get(), 1);
    }
    EXPECT_EQ(get(), 1);
  }
  EXPECT_EQ(get(), 2);
}

TEST_F(BlasThreadsTest, GuardsOfManyThreadsAreCounted) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        const SingleThreadedBlas guard;
        EXPECT_EQ(get(), 1);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(get(), 2);
}

TEST(BlasDescription, IsNotEmpty) { EXPECT_FALSE(blas_description().empty()); }

}  // namespace
}  // namespace overlapack::kernels
