#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan/plan.hpp"
#include "program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace overlapack::scalapack {

/// What a program is told of its factorisations, by name.
inline constexpr std::pair<const char*, Index dense::FactorResult::*> told_counters[] = {
    {"panels", &dense::FactorResult::panels},
    {"panels_ahead", &dense::FactorResult::panels_ahead},
    {"overlapped_messages", &dense::FactorResult::overlapped_messages},
    {"supersteps", &dense::FactorResult::supersteps},
    {"split_supersteps", &dense::FactorResult::split_supersteps},
    {"row_swaps", &dense::FactorResult::row_swaps},
    {"puts", &dense::FactorResult::puts},
    {"gets", &dense::FactorResult::gets},
    {"signals", &dense::FactorResult::signals}};

/// State of the functions of overlapack_scalapack.h.
struct Session {
  dense::LuPlan plan;
  std::int64_t plan_number = 0;  ///< a hash of the plan's text, to compare the plans of all processes
  bool is_planned = false;       ///< by the program, or the environment was asked
  std::string
      refusal;  ///< why the environment's plan is none; then no call runs here, until the program gives another
  bool is_told = false;  ///< is the refusal printed?
  std::int64_t calls = 0;
  std::int64_t calls_left = 0;
  dense::FactorResult counters;  ///< sums over this process's factorisations, of told_counters
  std::string message, counters_text;
};
Session& session();

/// The plan of the following calls, from JSON.
/// Errors  BadPlan, BadInput: then the plan stays as it was
void set_plan(std::string_view json);
/// Its text.
/// Errors  BadInput if it cannot be read
std::string plan_file(const char* path);

/// Unless the program has given a plan: take that of the environment variable OVERLAPACK_SCALAPACK_PLAN, JSON or the name of its file.
void take_given_plan();
/// Print the refusal once, on the first process of the grid.
void tell_refusal(const Grid& grid);

}  // namespace overlapack::scalapack
