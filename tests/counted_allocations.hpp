#pragma once
#include <cstdint>

/// Memory that can fail, for tests that link counted_allocations.cpp: it replaces operator new of the whole program.
namespace overlapack::testing {

/// Allocations of this thread until one fails; below 0: none fails.
extern thread_local std::int64_t allocations_left;

/// Allocations of this thread so far.
extern thread_local std::int64_t allocations;

}  // namespace overlapack::testing
