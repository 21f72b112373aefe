#include "blas_threads.hpp"

#include "overlapack/environment.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlapack::cli {

void end_blas_threads() {
  if (simulated_time()) return;
  // The library restores the count of threads that it finds, and to set another one than 1 begins them.
  for (const char* name : {"openblas_set_num_threads", "scipy_openblas_set_num_threads"})
    if (void* const set_count = dlsym(RTLD_DEFAULT, name)) reinterpret_cast<void (*)(int)>(set_count)(1);
  // OpenBLAS has no function that ends its threads, but it ends them before each fork.
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace overlapack::cli
