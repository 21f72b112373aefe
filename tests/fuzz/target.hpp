#pragma once
#include "overlapack/error.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// What fuzzers feed: code that takes any bytes, and valid ones to begin with.
namespace overlapack::test {

struct FuzzTarget {
  std::string_view name;
  std::string_view what;  ///< for the table of docs/testing.md
  std::vector<std::string> (*seeds)();
  /// Were the bytes accepted? Anything but sound results and errors of the kinds that bad input deserves is thrown on.
  bool (*accepts)(const std::string& bytes);
};

/// Every one that this program was built with.
const std::vector<FuzzTarget>& fuzz_targets();

/// True if work() succeeds, false if it is refused by an Error of one of these kinds.
template <class Work>
bool accepts_or_refuses(std::initializer_list<Status> kinds, Work&& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    for (const Status kind : kinds)
      if (error.status() == kind) return false;
    throw;
  }
}

// Targets that are programs of calls, in files of their own.
std::vector<std::string> call_seeds();
bool runs_c_calls(const std::string& bytes);
std::vector<std::string> mumps_seeds();
bool runs_mumps_calls(const std::string& bytes);

}  // namespace overlapack::test
