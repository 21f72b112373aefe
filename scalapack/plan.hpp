#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan/plan.hpp"
#include "program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace overlapack::scalapack {

/// The counters of factorisations that a program can ask for, by name.
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

/// The state behind the functions of overlapack_scalapack.h.
struct Session {
  dense::LuPlan plan;
  std::int64_t plan_number = 0;  ///< a hash of the plan's text, to compare the plans of all processes
  bool is_planned = false;       ///< by the program, or the environment was asked
  /// why the environment's plan is none; then no call runs here, until the program gives another
  std::string refusal;
  bool is_told = false;  ///< the refusal was printed
  std::int64_t calls = 0;
  std::int64_t calls_left = 0;
  dense::FactorResult counters;  ///< sums over this process's factorisations, of told_counters
  std::string message, counters_text;
};
Session& session();

/// Set the plan of the following calls from JSON.
/// Errors  BadPlan, BadInput; the plan then stays as it was
void set_plan(std::string_view json);
/// Read the text of a plan file.
/// Errors  BadInput if it cannot be read
std::string plan_file(const char* path);

/// Unless the program has given a plan, take the plan of the environment variable OVERLAPACK_SCALAPACK_PLAN: JSON, or the name of a file with it.
void take_given_plan();
/// Print once, on the first process of the grid, why the environment's plan was refused.
void tell_refusal(const Grid& grid);

}  // namespace overlapack::scalapack
