// Does a BLAS have gemm of all four types, and does it read integers of 32 bits? What lies behind each integer here makes one of 64 bits
// negative. Ends with 0 if so (cmake/blas.cmake).
#include "kernels/product/blas.hpp"

template <class T, class Gemm>
bool is_right(Gemm* gemm) {
  const int two[2] = {2, -1};
  const T one(1), zero(0);
  const T a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};  // [1 3; 2 4] [5 7; 6 8] = [23 31; 34 46]
  T c[4] = {};
  gemm("N", "N", two, two, two, &one, a, two, b, two, &zero, c, two);
  return c[0] == T(23) && c[1] == T(34) && c[2] == T(31) && c[3] == T(46);
}

int main() {
  using namespace overlapack::kernels::blas;
  return is_right<float>(OVERLAPACK_BLAS(sgemm_)) && is_right<double>(OVERLAPACK_BLAS(dgemm_)) &&
                 is_right<std::complex<float>>(OVERLAPACK_BLAS(cgemm_)) && is_right<std::complex<double>>(OVERLAPACK_BLAS(zgemm_))
             ? 0
             : 1;
}
