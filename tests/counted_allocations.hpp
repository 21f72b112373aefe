#pragma once
#include <cstdint>

/// Memory that can fail, for tests with overlapack_count_allocations (overlapack_test.cmake): it replaces operator new of the whole program.
namespace overlapack::testing {

/// Allocations of this thread until one fails; below 0: none fails.
extern thread_local std::int64_t allocations_left;

/// The same of those of large memory alone (base/large_memory.hpp).
extern thread_local std::int64_t large_left;

/// Whether all that come after one that has failed fail, too.
extern thread_local bool memory_stays_out;

/// Allocations of this thread that have failed so far.
extern thread_local std::int64_t failed_allocations;

/// Allocations of this thread so far,
extern thread_local std::int64_t allocations;
/// and those of them for arenas and pools of blocks.
extern thread_local std::int64_t block_allocations;

}  // namespace overlapack::testing
