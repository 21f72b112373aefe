#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan/plan.hpp"

#include <cstdint>
#include <string>

namespace overlapack::scalapack {

/// What the functions of overlapack_scalapack.h set and tell.
struct Session {
  dense::LuPlan plan;
  std::int64_t plan_number = 0;  ///< a hash of the plan's text: every process must have the same
  std::int64_t calls = 0;
  std::int64_t calls_left = 0;
  dense::FactorResult counters;  ///< of all factorisations of this process, summed as far as they are told
  std::string message, counters_text;
};
Session& session();

}  // namespace overlapack::scalapack
