/* Preloaded beside the drop-in: prints its counters when the program ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((destructor)) static void tell(void) {
  int64_t (*const calls)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls");
  int64_t (*const left)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls_left");
  const char* (*const message)(void) =
      (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_message");
  if (calls && left && message)
    fprintf(stderr, "drop-in: %lld calls here, %lld left to others %s\n", (long long)calls(),
            (long long)left(), message());
}
