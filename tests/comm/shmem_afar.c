/* Preloaded before OpenSHMEM: no memory of another PE can be reached by loads and stores, as between nodes. What strided calls then do
 * is counted, and told when the PE ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

static long strided;

void* shmem_ptr(const void* address, int pe) {
  (void)address, (void)pe;
  return NULL;
}

#define COUNTED(name)                                                                         \
  void name(void* to, const void* from, ptrdiff_t tst, ptrdiff_t sst, size_t count, int pe) { \
    static void (*next)(void*, const void*, ptrdiff_t, ptrdiff_t, size_t, int);               \
    if (!next) *(void**)&next = dlsym(RTLD_NEXT, #name);                                      \
    ++strided;                                                                                \
    next(to, from, tst, sst, count, pe);                                                      \
  }
COUNTED(shmem_iget32)
COUNTED(shmem_iget64)
COUNTED(shmem_iget128)
COUNTED(shmem_iput32)
COUNTED(shmem_iput64)
COUNTED(shmem_iput128)

__attribute__((destructor)) static void tell(void) { printf("%ld strided accesses by OpenSHMEM\n", strided); }
