#ifndef OVERLAPACK_PARDISO_H
#define OVERLAPACK_PARDISO_H
/* PARDISO's interface as Intel's MKL has it, on overlapack's factors (docs/dropins.md). The integers of `pardiso` are those of the
 * library that is linked: 32 bits in liboverlapack_pardiso.so, 64 in liboverlapack_pardiso_ilp64.so, for which
 * OVERLAPACK_PARDISO_INT is long long. */
#ifdef __cplusplus
extern "C" {
#endif

#ifndef OVERLAPACK_PARDISO_INT
#define OVERLAPACK_PARDISO_INT int
#endif
#define OVERLAPACK_PARDISO __attribute__((visibility("default")))

typedef OVERLAPACK_PARDISO_INT overlapack_pardiso_int;

/* iparm for this mtype, and a handle that holds nothing. */
OVERLAPACK_PARDISO void pardisoinit(void* pt, const overlapack_pardiso_int* mtype,
                                    overlapack_pardiso_int* iparm);
OVERLAPACK_PARDISO void pardiso(void* pt, const overlapack_pardiso_int* maxfct,
                                const overlapack_pardiso_int* mnum, const overlapack_pardiso_int* mtype,
                                const overlapack_pardiso_int* phase, const overlapack_pardiso_int* n,
                                const void* a, const overlapack_pardiso_int* ia,
                                const overlapack_pardiso_int* ja, overlapack_pardiso_int* perm,
                                const overlapack_pardiso_int* nrhs, overlapack_pardiso_int* iparm,
                                const overlapack_pardiso_int* msglvl, void* b, void* x,
                                overlapack_pardiso_int* error);
OVERLAPACK_PARDISO void pardiso_64(void* pt, const long long* maxfct, const long long* mnum,
                                   const long long* mtype, const long long* phase, const long long* n,
                                   const void* a, const long long* ia, const long long* ja, long long* perm,
                                   const long long* nrhs, long long* iparm, const long long* msglvl, void* b,
                                   void* x, long long* error);
/* df <- the diagonal of the factors (D; of LU that of U), da <- that of A, both in the order of A. */
OVERLAPACK_PARDISO void pardiso_getdiag(const void* pt, void* df, void* da,
                                        const overlapack_pardiso_int* mnum, overlapack_pardiso_int* error);

/* These are there so that MKL's are not called with a handle that is not its own; they refuse with error -1. */
OVERLAPACK_PARDISO void pardiso_export(void* pt, void* values, overlapack_pardiso_int* ia,
                                       overlapack_pardiso_int* ja, const overlapack_pardiso_int* step,
                                       const overlapack_pardiso_int* iparm, overlapack_pardiso_int* error);
OVERLAPACK_PARDISO void pardiso_handle_store(void* pt, const char* folder, overlapack_pardiso_int* error);
OVERLAPACK_PARDISO void pardiso_handle_restore(void* pt, const char* folder, overlapack_pardiso_int* error);
OVERLAPACK_PARDISO void pardiso_handle_delete(const char* folder, overlapack_pardiso_int* error);

/* One sentence on this thread's last call; "" where there is nothing to say. */
OVERLAPACK_PARDISO const char* overlapack_pardiso_message(void);

#ifdef __cplusplus
}
#endif
#endif
