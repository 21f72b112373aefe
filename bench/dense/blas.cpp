#include "blas.hpp"

#include <dlfcn.h>
#include <filesystem>

namespace bench {

std::string blas_in_use() {
  Dl_info info;
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (!dgemm || !dladdr(dgemm, &info)) return "unknown";
  std::string text = std::filesystem::weakly_canonical(info.dli_fname).string();
  const auto config = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  const auto core = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (config && core) text += std::string(" (") + config() + ", kernels " + core() + ")";
  return text;
}

}  // namespace bench
