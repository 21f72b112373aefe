#pragma once
#include "overlapack/probe.hpp"

#include <array>
#include <vector>

namespace overlapack::probe {

/// Fit the polynomial of KernelModel with coefficients >= 0 that has the least sum of squares of (fit - sample) / sample.
/// Cost    20000 sweeps of coordinate descent over the samples, 10 ms for 30 samples
std::array<double, 5> fit_coefficients(const std::vector<KernelSample>& samples);
double seconds_of(const std::array<double, 5>& coefficients, const KernelSample& shape);

/// The cost models of all kernels in double precision. gemm and trsm are fitted over shapes of dense panels. The rates of the other kernels
/// come from the traces of a dense and a sparse factorisation on one rank of the thread engine.
/// Cost    about 5 s
std::vector<KernelModel> kernel_models();

}  // namespace overlapack::probe
