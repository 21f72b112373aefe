#pragma once
#include <complex>

/// The BLAS routines that overlapack calls, by their Fortran symbols with 32-bit integers: the only place
/// that declares them. (A cblas is not safe: other libraries in the process may bring their own.)
namespace overlapack::kernels::blas {

using Int = int;

#define OVERLAPACK_DECLARE_BLAS(T, prefix)                                                                   \
  extern "C" void prefix##gemm_(const char* trans_a, const char* trans_b, const Int* m, const Int* n,        \
                                const Int* k, const T* alpha, const T* a, const Int* lda, const T* b,        \
                                const Int* ldb, const T* beta, T* c, const Int* ldc);                        \
  extern "C" void prefix##gemv_(const char* trans, const Int* m, const Int* n, const T* alpha, const T* a,   \
                                const Int* lda, const T* x, const Int* incx, const T* beta, T* y,            \
                                const Int* incy);                                                            \
  inline void gemm(char ta, char tb, Int m, Int n, Int k, T alpha, const T* a, Int lda, const T* b, Int ldb, \
                   T beta, T* c, Int ldc) {                                                                  \
    prefix##gemm_(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);                           \
  }                                                                                                          \
  inline void gemv(char ta, Int m, Int n, T alpha, const T* a, Int lda, const T* x, Int incx, T beta, T* y,  \
                   Int incy) {                                                                               \
    prefix##gemv_(&ta, &m, &n, &alpha, a, &lda, x, &incx, &beta, y, &incy);                                  \
  }
OVERLAPACK_DECLARE_BLAS(float, s)
OVERLAPACK_DECLARE_BLAS(double, d)
OVERLAPACK_DECLARE_BLAS(std::complex<float>, c)
OVERLAPACK_DECLARE_BLAS(std::complex<double>, z)
#undef OVERLAPACK_DECLARE_BLAS

}  // namespace overlapack::kernels::blas
