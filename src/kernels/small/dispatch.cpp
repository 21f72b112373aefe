#include "kernels/small/dispatch.hpp"

#include "kernels/small/sanitizer_wrappers.hpp"
#include "overlapack/error.hpp"

namespace overlapack::kernels {
namespace small {

#if defined(__x86_64__)
extern const Tables tables_v1, tables_v3, tables_v4;
#else
extern const Tables tables_native;
#endif

namespace {

struct Level {
  std::string_view name;
  const Tables* tables;
};

std::vector<Level> supported_levels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  std::vector<Level> found{{"x86-64", &tables_v1}};
  const bool v3 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (v3) found.push_back({"x86-64-v3", &tables_v3});
  if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    found.push_back({"x86-64-v4", &tables_v4});
  return found;
#else
  return {{"aarch64", &tables_native}};
#endif
}

std::string_view level_in_use;

const Tables* use_level(const Level& level) {
  level_in_use = level.name;
  return wrap_to_announce_accesses(level.tables);
}

}  // namespace

const Tables* tables = use_level(supported_levels().back());

}  // namespace small

std::string_view small_kernel_level() { return small::level_in_use; }

std::vector<std::string_view> small_kernel_levels() {
  std::vector<std::string_view> names;
  for (const auto& level : small::supported_levels()) names.push_back(level.name);
  return names;
}

void use_small_kernel_level(std::string_view name) {
  for (const auto& level : small::supported_levels())
    if (level.name == name) {
      small::tables = small::use_level(level);
      return;
    }
  throw Error(Status::bad_input, "this processor cannot run the small kernels of level " + std::string(name) +
                                     "; choose one that `overlapack info` lists");
}

}  // namespace overlapack::kernels
