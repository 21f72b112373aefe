/* Preloaded beside the drop-in: gives it the plan that the environment variable TELL_CALLS_PLAN has, which the drop-in itself
   never reads, and prints its counters when the program ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void plan(void) {
  int (*const set_plan)(const char*) =
      (int (*)(const char*))dlsym(RTLD_DEFAULT, "overlapack_scalapack_set_plan");
  const char* const json = getenv("TELL_CALLS_PLAN");
  if (set_plan && json && set_plan(json) != 0) abort();
}

__attribute__((destructor)) static void tell(void) {
  int64_t (*const calls)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls");
  int64_t (*const left)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls_left");
  const char* (*const message)(void) =
      (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_message");
  const char* (*const counters)(void) =
      (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_counters");
  if (counters) fprintf(stderr, "drop-in counters: %s\n", counters());
  if (calls && left && message)
    fprintf(stderr, "drop-in: %lld calls here, %lld left to others %s\n", (long long)calls(),
            (long long)left(), message());
}
