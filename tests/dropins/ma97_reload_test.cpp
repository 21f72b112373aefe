#include "ma97.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

/// The library as Ipopt's option hsllib has it: opened before each problem, and closed after it.
namespace {

/// The numbers that the system has given this process's threads.
std::set<std::string> threads() {
  std::set<std::string> numbers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    numbers.insert(entry.path().filename());
  return numbers;
}

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

/// Solves a Laplacian on `side` x `side` points, as large as pays for several threads. Returns the flag.
int solve_once(void* library, int side) {
  const int n = side * side;
  std::vector<int> ptr{0}, row;
  std::vector<double> val, x(n, 1.0);
  for (int k = 0; k < n; ++k) {
    const auto put = [&](int i, double a) { row.push_back(i), val.push_back(a); };
    put(k, 4.5);
    if (k % side + 1 < side) put(k + 1, -1);
    if (k + side < n) put(k + side, -1);
    ptr.push_back(static_cast<int>(row.size()));
  }
  ma97_control_d control;
  ma97_info_d info;
  void *akeep = nullptr, *fkeep = nullptr;
  function_of<decltype(ma97_default_control_d)>(library, "ma97_default_control_d")(&control);
  function_of<decltype(ma97_analyse_d)>(library, "ma97_analyse_d")(1, n, ptr.data(), row.data(), nullptr,
                                                                   &akeep, &control, &info, nullptr);
  function_of<decltype(ma97_factor_solve_d)>(library, "ma97_factor_solve_d")(
      4, ptr.data(), row.data(), val.data(), 1, x.data(), n, &akeep, &fkeep, &control, &info, nullptr);
  function_of<decltype(ma97_finalise_d)>(library, "ma97_finalise_d")(&akeep, &fkeep);
  return info.flag;
}

TEST(Ma97Reloaded, StaysLoadedWithItsThreads) {
  ASSERT_EQ(dlopen(MA97_LIBRARY, RTLD_LAZY | RTLD_NOLOAD), nullptr) << "this test itself must not link it";
  void* library = dlopen(MA97_LIBRARY, RTLD_LAZY);
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_EQ(solve_once(library, 200), MA97_OK);
  const auto address = dlsym(library, "ma97_factor_d");
  const std::set<std::string> first = threads();
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(dlclose(library), 0);
    library = dlopen(MA97_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr) << "unloaded by dlclose " << k;
    ASSERT_EQ(dlclose(library), 0);
    library = dlopen(MA97_LIBRARY, RTLD_LAZY);
    ASSERT_EQ(dlsym(library, "ma97_factor_d"), address);
    if (k % 100 == 0) {
      ASSERT_EQ(solve_once(library, 200), MA97_OK);
    }
  }
  EXPECT_EQ(threads(), first);
  dlclose(library);
}

}  // namespace
