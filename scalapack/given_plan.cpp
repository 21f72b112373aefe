#include "overlapack/error.hpp"
#include "plan.hpp"

#include <cstdio>
#include <cstdlib>

// This is the only place of this library that reads the environment and prints. It serves programs that do not know this library
// (docs/decisions/0043-plan-from-the-environment.md).
namespace overlapack::scalapack {

void take_given_plan() {
  constexpr const char* name = "OVERLAPACK_SCALAPACK_PLAN";
  if (std::exchange(session().is_planned, true)) return;
  const char* const given = std::getenv(name);
  if (given == nullptr || *given == '\0') return;
  try {
    set_plan(*given == '{' ? given : plan_file(given));
  } catch (const Error& error) {
    session().refusal = std::string(name) + ": " + error.what();
    session().plan_number = -1;  // of no plan
  }
}

void tell_refusal(const Grid& grid) {
  if (std::exchange(session().is_told, true) || grid.row != 0 || grid.col != 0) return;
  std::fprintf(stderr, "overlapack: %s; ScaLAPACK's own routines run\n", session().refusal.c_str());
}

}  // namespace overlapack::scalapack
