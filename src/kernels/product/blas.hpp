#pragma once
#include <complex>

/// The BLAS routines that overlapack calls, by their Fortran symbols with 32-bit integers: the only place
/// that declares them. (A cblas is not safe: other libraries in the process may bring their own.)
/// Builds of OpenBLAS for packages have a prefix before all of their symbols: OVERLAPACK_BLAS_PREFIX (cmake/blas.cmake).
#ifndef OVERLAPACK_BLAS_PREFIX
#define OVERLAPACK_BLAS_PREFIX
#endif
#define OVERLAPACK_JOINED_(prefix, name) prefix##name
#define OVERLAPACK_JOINED(prefix, name) OVERLAPACK_JOINED_(prefix, name)
#define OVERLAPACK_BLAS(name) OVERLAPACK_JOINED(OVERLAPACK_BLAS_PREFIX, name)

namespace overlapack::kernels::blas {

using Int = int;

#define OVERLAPACK_DECLARE_BLAS(T, symbol)                                                                   \
  extern "C" void symbol(const char* trans_a, const char* trans_b, const Int* m, const Int* n, const Int* k, \
                         const T* alpha, const T* a, const Int* lda, const T* b, const Int* ldb,             \
                         const T* beta, T* c, const Int* ldc);                                               \
  inline void gemm(char ta, char tb, Int m, Int n, Int k, T alpha, const T* a, Int lda, const T* b, Int ldb, \
                   T beta, T* c, Int ldc) {                                                                  \
    symbol(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);                                  \
  }
OVERLAPACK_DECLARE_BLAS(float, OVERLAPACK_BLAS(sgemm_))
OVERLAPACK_DECLARE_BLAS(double, OVERLAPACK_BLAS(dgemm_))
OVERLAPACK_DECLARE_BLAS(std::complex<float>, OVERLAPACK_BLAS(cgemm_))
OVERLAPACK_DECLARE_BLAS(std::complex<double>, OVERLAPACK_BLAS(zgemm_))
#undef OVERLAPACK_DECLARE_BLAS

}  // namespace overlapack::kernels::blas
