/* In the place of MKL's header and its functions about threads, for a program that calls its pardiso: overlapack has that. */
#ifndef OVERLAPACK_MKL_STAND_IN
#define OVERLAPACK_MKL_STAND_IN

typedef int MKL_INT;
typedef long long MKL_INT64;
typedef void* _MKL_DSS_HANDLE_t;
typedef int (*ProgressEntry)(int* thread, int* step, char* stage, int stage_len);

enum { MKL_DOMAIN_PARDISO = 4 };

typedef struct {
  int MajorVersion, MinorVersion, UpdateVersion;
  char *ProductStatus, *Build, *Processor, *Platform;
} MKLVersion;

void pardiso(_MKL_DSS_HANDLE_t, const MKL_INT*, const MKL_INT*, const MKL_INT*, const MKL_INT*, const MKL_INT*, const void*,
             const MKL_INT*, const MKL_INT*, MKL_INT*, const MKL_INT*, MKL_INT*, const MKL_INT*, void*, void*, MKL_INT*);
void pardiso_64(_MKL_DSS_HANDLE_t, const MKL_INT64*, const MKL_INT64*, const MKL_INT64*, const MKL_INT64*, const MKL_INT64*,
                const void*, const MKL_INT64*, const MKL_INT64*, MKL_INT64*, const MKL_INT64*, MKL_INT64*,
                const MKL_INT64*, void*, void*, MKL_INT64*);

static int overlapack_threads = 2, overlapack_pardiso_threads;

static inline void mkl_get_version(MKLVersion* version) {
  MKLVersion ours = {2024, 0, 0, "Product", "overlapack", "any", "any"};
  *version = ours;
}
static inline void mkl_set_num_threads(int threads) { overlapack_threads = threads; }
static inline int mkl_get_max_threads(void) { return overlapack_threads; }
static inline int mkl_domain_set_num_threads(int threads, int domain) {
  (void)domain;
  overlapack_pardiso_threads = threads;
  return 1;
}
static inline int mkl_domain_get_max_threads(int domain) {
  (void)domain;
  return overlapack_pardiso_threads > 0 ? overlapack_pardiso_threads : overlapack_threads;
}
static inline ProgressEntry mkl_set_progress(ProgressEntry progress) { return progress; }

#endif
