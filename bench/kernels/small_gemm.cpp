// Small gemm kernels against BLAS, C(m x n) -= A(m x k) B(n x k)^T, both timed alternately in the same run.
#include "kernels/product/blas.hpp"
#include "kernels/product/blas_library.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/small/dispatch.hpp"
#include "thread_clock.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using namespace overlapack;

template <class Work>
double seconds(int repeats, Work work) {
  const double start = thread_seconds();
  for (int i = 0; i < repeats; ++i) work();
  return (thread_seconds() - start) / repeats;
}

template <class T>
void compare(Index m, Index n, Index k) {
  const Index lda = (m + 7) / 8 * 8 + 8;
  std::vector<T> a(lda * k, T(1)), b((n + 8) * k, T(1)), c(lda * n, T(1));
  const T minus(-1), one(1);
  const auto& small = kernels::small::kernels<T>();
  const double flops = 2.0 * m * n * k * (ScalarTraits<T>::is_complex ? 4 : 1);
  const int repeats = static_cast<int>(std::max(3.0, 3e6 / flops));
  double best[2] = {1e9, 1e9};
  for (int round = 0; round < 7; ++round) {
    best[0] = std::min(best[0], seconds(repeats, [&] {
                         small.gemm(m, n, k, a.data(), lda, b.data(), n + 8, 1, false, true, c.data(), lda);
                       }));
    best[1] = std::min(best[1], seconds(repeats, [&] {
                         kernels::blas::gemm('N', 'T', m, n, k, minus, a.data(), lda, b.data(), n + 8, one,
                                             c.data(), lda);
                       }));
  }
  std::printf("%5ld %4ld %4ld   %7.2f %7.2f GF/s   ratio %5.2f\n", long(m), long(n), long(k),
              flops / best[0] / 1e9, flops / best[1] / 1e9, best[1] / best[0]);
}

template <class T>
void table(const char* name) {
  std::printf("%s\n    m    n    k    small    BLAS\n", name);
  for (Index m : {8, 24, 64, 256, 1000})
    for (Index n : {4, 8, 16, 32, 64})
      for (Index k : {1, 4, 8, 16, 32, 64, 128}) compare<T>(m, n, k);
}

}  // namespace

int main(int argc, char** argv) {
  const overlapack::kernels::SingleThreadedBlas guard;
  if (argc > 1) overlapack::kernels::use_small_kernel_level(argv[1]);
  std::printf("%s, small kernels %s\n", overlapack::kernels::blas_library().text().c_str(),
              std::string(overlapack::kernels::small_kernel_level()).c_str());
  table<double>("double");
  if (argc > 2) {
    table<float>("float");
    table<std::complex<double>>("complex<double>");
    table<std::complex<float>>("complex<float>");
  }
}
