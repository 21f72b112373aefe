#pragma once
#include "overlapack/probe.hpp"

#include <vector>

namespace overlapack::probe {

/// Measure gemm, panels and triangular solves in double precision, at the shapes of small and large fronts.
/// Cost    about a second
std::vector<MeasuredKernel> measure_kernel_rates();

/// Measure the memory bandwidth of one core in bytes/s by STREAM's triad a <- b + s c, on arrays far larger than the caches (24 bytes for
/// each entry).
double triad_bytes_per_s();

}  // namespace overlapack::probe
