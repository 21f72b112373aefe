#include "blas.hpp"

#include <dlfcn.h>
#include <filesystem>

namespace bench {
namespace {

/// mkl_service.h's MKLVersion.
struct MklVersion {
  int major, minor, update;
  char *status, *build, *processor, *platform;
};

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

std::string blas_in(void* library) {
  using Text = const char*();
  const auto config = symbol<Text>(library, "openblas_get_config");
  const auto core = symbol<Text>(library, "openblas_get_corename");
  if (config && core) return std::string(config()) + ", kernels " + core();
  const auto blis_version = symbol<Text>(library, "bli_info_get_version_str");
  const auto architecture = symbol<int()>(library, "bli_arch_query_id");
  const auto name_of = symbol<const char*(int)>(library, "bli_arch_string");
  if (blis_version && architecture && name_of)
    return std::string("BLIS ") + blis_version() + ", kernels " + name_of(architecture());
  if (const auto tell = symbol<void(MklVersion*)>(library, "MKL_Get_Version")) {
    MklVersion v{};
    tell(&v);
    return "MKL " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.update) +
           " for " + v.processor;
  }
  return "unknown";
}

std::string blas_in_use() {
  Dl_info info;
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (!dgemm || !dladdr(dgemm, &info)) return "none";
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);  // null: linked into the program
  const std::string told = blas_in(library ? library : RTLD_DEFAULT);
  return std::filesystem::weakly_canonical(info.dli_fname).filename().string() + " (" + told + ")";
}

}  // namespace bench
