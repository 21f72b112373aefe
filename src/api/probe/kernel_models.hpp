#pragma once
#include <array>
#include <string>
#include <vector>

namespace overlapack::api {

/// One call that was timed.
struct KernelSample {
  double m = 0, n = 0, k = 0;
  double seconds = 0;
};

/// Seconds of a kernel as c0 m n k + c1 m n + c2 m k + c3 n k + c4, or by its flops alone.
struct KernelModel {
  std::string kernel;  ///< as in traces
  bool has_coefficients = false;
  std::array<double, 5> coefficients{};
  double flops_per_s = 0;
  double mean_deviation = 0;  ///< of the samples from the polynomial, as a share of them
  std::string source;         ///< what was measured
};

/// The polynomial without negative coefficients that has the least sum of squares of (fit - sample) / sample.
/// Cost  20000 sweeps of coordinate descent over the samples: 10 ms for 30 of them
std::array<double, 5> fitted(const std::vector<KernelSample>& samples);
double seconds_of(const std::array<double, 5>& coefficients, const KernelSample& shape);

/// gemm and trsm fitted over shapes of dense panels; rates of the other kernels from the traces of a dense and a sparse
/// factorisation on one rank of the thread engine. In double.
/// Cost  about 5 s
std::vector<KernelModel> kernel_models();

}  // namespace overlapack::api
