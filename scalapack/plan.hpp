#pragma once
#include "dense/lu/plan.hpp"

#include <cstdint>
#include <string>

namespace overlapack::scalapack {

/// What the functions of overlapack_scalapack.h set and tell.
struct Session {
  dense::LuPlan plan;
  std::int64_t plan_number = 0;  ///< a hash of the plan's text: every process must have the same
  std::int64_t calls = 0;
  std::int64_t calls_left = 0;
  std::string message;
};
Session& session();

}  // namespace overlapack::scalapack
