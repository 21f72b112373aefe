#pragma once
#include "overlapack/probe.hpp"

#include <array>
#include <vector>

namespace overlapack::probe {

/// The polynomial without negative coefficients that has the least sum of squares of (fit - sample) / sample.
/// Cost  20000 sweeps of coordinate descent over the samples: 10 ms for 30 of them
std::array<double, 5> fit_coefficients(const std::vector<KernelSample>& samples);
double seconds_of(const std::array<double, 5>& coefficients, const KernelSample& shape);

/// gemm and trsm fitted over shapes of dense panels; rates of the other kernels from the traces of a dense and a sparse
/// factorisation on one rank of the thread engine. In double.
/// Cost  about 5 s
std::vector<KernelModel> kernel_models();

}  // namespace overlapack::probe
