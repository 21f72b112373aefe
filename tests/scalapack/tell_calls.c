/* Preloaded beside the drop-in: writes its counters when the program ends, into a file of each process in the folder TELL_CALLS_FOLDER:
   mpirun may mix what several processes print, within a line. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((destructor)) static void tell(void) {
  int64_t (*const calls)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls");
  int64_t (*const left)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls_left");
  const char* (*const message)(void) =
      (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_message");
  const char* (*const counters)(void) =
      (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_scalapack_counters");
  char path[4096];
  const char* const folder = getenv("TELL_CALLS_FOLDER");
  if (!calls || !left || !message || !counters || !folder) return;
  snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
  FILE* const file = fopen(path, "w");
  if (!file) abort();
  fprintf(file, "drop-in counters: %s\n", counters());
  fprintf(file, "drop-in: %lld calls here, %lld left to others %s\n", (long long)calls(), (long long)left(),
          message());
  if (fclose(file) != 0) abort();
}
