#pragma once
#include "counted_allocations.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <utility>

/// For work on the caller's thread, in tests with overlapack_count_allocations.
namespace overlapack::testing {

/// What make() gives, whose allocations are the test's own: none of them fails, nor is counted.
template <class Make>
auto without_faults(Make&& make) {
  struct Pause {
    std::int64_t left = std::exchange(allocations_left, -1);
    ~Pause() { allocations_left = left; }
  } const pause;
  return make();
}

/// work() with its k-th allocation failing, for k = 0, 1, ... until there is none: each ends with OutOfMemory, or without an error
/// where the work does without; work() right after it succeeds. How many allocations there are.
/// look(): called after each failure
inline std::int64_t fail_each_allocation(const std::function<void()>& work,
                                         const std::function<void()>& look) {
  for (std::int64_t k = 0;; ++k) {
    allocations_left = k;
    bool is_struck = false;
    try {
      work();
      is_struck = allocations_left < 0;
    } catch (const Error& error) {
      is_struck = allocations_left < 0;
      EXPECT_EQ(error.status(), Status::out_of_memory) << "allocation " << k << ": " << error.what();
    } catch (const std::exception& error) {
      is_struck = allocations_left < 0;
      ADD_FAILURE() << "allocation " << k << ": no Error, but " << error.what();
    }
    allocations_left = -1;
    if (!is_struck) return k;
    look();
    work();
    if (::testing::Test::HasFailure()) return k;
  }
}

}  // namespace overlapack::testing
