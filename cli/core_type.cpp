#include "core_type.hpp"

#include "overlapack/environment.hpp"

#include <cstdlib>
#include <unistd.h>

namespace overlapack::cli {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";
/// An environment variable that is set together with OPENBLAS_CORETYPE if this program chose the value.
constexpr const char* mark = "OVERLAPACK_CHOSE_CORETYPE";

CoreType given_core_type() {
  const char* const name = std::getenv(variable);
  return {name ? name : "", std::getenv(mark) != nullptr};
}

}  // namespace

const CoreType& core_type() {
  static const CoreType type = given_core_type();
  return type;
}

void start_with_right_kernels(char** arguments) {
  if (core_type().is_ours) {
    unsetenv(variable);
    unsetenv(mark);
    return;
  }
  const std::string& better = blas_info().better_core;
  if (better.empty() || !core_type().name.empty() || simulated_time()) return;
  setenv(variable, better.c_str(), 1);
  setenv(mark, "1", 1);
  execv("/proc/self/exe", arguments);
  unsetenv(variable);  // exec failed: the kernels stay, and doctor reports them
  unsetenv(mark);
}

}  // namespace overlapack::cli
