// bench_blas FILE: what blas_in tells of a shared library in this environment, for programs that do not tell it themselves.
#include "blas.hpp"

#include <cstdio>
#include <dlfcn.h>
#include <filesystem>

int main(int argc, char** argv) {
  void* const library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library) {
    std::fprintf(stderr, "usage: bench_blas FILE, a shared library: %s\n",
                 argc == 2 ? dlerror() : "none given");
    return 1;
  }
  std::printf("%s (%s)\n", std::filesystem::path(argv[1]).filename().c_str(),
              bench::blas_in(library).c_str());
  return 0;
}
