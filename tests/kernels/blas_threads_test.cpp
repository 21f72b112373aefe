#include "kernels/product/blas_threads.hpp"

#include "kernels/product/blas_call.hpp"
#include "kernels/product/blas_library.hpp"
#include "kernels/product/gemm.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace overlapack::kernels {
namespace {

struct BlasThreadsTest : ::testing::Test {
  int (*get)() = blas_function<int()>("openblas_get_num_threads");
  void (*set)(int) = blas_function<void(int)>("openblas_set_num_threads");

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

/// Threads come in until as many are inside as may be, and stay a while, in which one more would come in.
TEST(BlasCalls, NoMoreAreInsideThanTheBlasBears) {
  const int most = blas_library().most_concurrent_callers;
  if (most == 0) GTEST_SKIP() << blas_library().text() << " bears as many callers as there are";
  std::atomic<int> inside{0}, seen{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2 * most + 8; ++t)
    threads.emplace_back([&] {
      const BlasCall call;
      const int now = ++inside;
      for (int before = seen; before < now && !seen.compare_exchange_weak(before, now);) {
      }
      while (seen < most) std::this_thread::yield();
      for (int turn = 0; turn < 200; ++turn) std::this_thread::yield();
      --inside;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(seen, most);
}

TEST(BlasCalls, OfTwoHundredThreadsAreRight) {
  constexpr Index n = 96, k = 128;
  const SingleThreadedBlas guard;
  std::vector<double> A(n * k), B(k * n), expected(n * n, 0.0);
  for (std::size_t i = 0; i < A.size(); ++i)
    A[i] = static_cast<double>(i % 7), B[i] = static_cast<double>(i % 5);  // exact sums
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l < k; ++l)
      for (Index i = 0; i < n; ++i) expected[i + j * n] += A[i + l * n] * B[l + j * k];
  std::vector<std::thread> threads;
  for (int t = 0; t < 200; ++t)
    threads.emplace_back([&] {
      std::vector<double> C(n * n);
      for (int repeat = 0; repeat < 60; ++repeat) {
        gemm<double>(Op::none, Op::none, 1, {A.data(), n, k, n}, {B.data(), k, n, k}, 0, {C.data(), n, n, n});
        EXPECT_EQ(C, expected);
      }
    });
  for (auto& thread : threads) thread.join();
}

TEST(BlasLibrary, TellsWhatItIs) {
  const BlasLibrary& library = blas_library();
  EXPECT_FALSE(library.name.empty());
  EXPECT_EQ(library.file.front(), '/');
  EXPECT_FALSE(library.has_long_integers);
  EXPECT_EQ(library.level.empty(), library.kernels.empty())
      << library.kernels << " is not in level_of_kernel_name";
}

TEST(BlasLibrary, LevelsOfKernels) {
  for (const char* name : {"SkylakeX", "Cooperlake", "SapphireRapids", "skx", "zen4",
                           "Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512)"})
    EXPECT_EQ(level_of_kernel_name(name), "x86-64-v4") << name;
  for (const char* name : {"Haswell", "Zen", "zen3", "Intel(R) Advanced Vector Extensions 2 (Intel(R) AVX2)"})
    EXPECT_EQ(level_of_kernel_name(name), "x86-64-v3") << name;
#if defined(__x86_64__)
  for (const char* name :
       {"Prescott", "Nehalem", "Sandybridge", "Bulldozer", "generic", "Intel(R) Architecture SSE4.2"})
    EXPECT_EQ(level_of_kernel_name(name), "x86-64") << name;
#endif
  EXPECT_EQ(level_of_kernel_name("Pentium MMCCXX"), "");
}

TEST(BlasLibrary, KernelsOfAnUnknownLevelAreNotCalledOld) {
  const auto on = [](const char* processor, const char* level) {
    return BlasInfo{.level = level, .processor_level = processor};
  };
  EXPECT_TRUE(on("x86-64-v3", "x86-64").has_old_kernels());
  EXPECT_TRUE(on("x86-64-v4", "x86-64-v3").has_old_kernels());
  EXPECT_FALSE(on("x86-64-v4", "x86-64-v4").has_old_kernels());
  EXPECT_FALSE(on("x86-64-v3", "x86-64-v4").has_old_kernels());
  EXPECT_FALSE(on("x86-64-v4", "").has_old_kernels());
  EXPECT_TRUE(on("x86-64-v3", "x86-64-v4").has_too_new_kernels());
  EXPECT_FALSE(on("x86-64-v4", "x86-64-v4").has_too_new_kernels());
  EXPECT_FALSE(on("x86-64-v4", "").has_too_new_kernels());
}

}  // namespace
}  // namespace overlapack::kernels
