#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan/plan.hpp"

#include <cstdint>
#include <string>

namespace overlapack::scalapack {

/// State of the functions of overlapack_scalapack.h.
struct Session {
  dense::LuPlan plan;
  std::int64_t plan_number = 0;  ///< a hash of the plan's text, to compare the plans of all processes
  std::int64_t calls = 0;
  std::int64_t calls_left = 0;
  dense::FactorResult counters;  ///< sums over this process's factorisations, of reported counters
  std::string message, counters_text;
};
Session& session();

}  // namespace overlapack::scalapack
