#pragma once
#include "overlapack/probe.hpp"

#include <vector>

namespace overlapack::probe {

/// gemm, panels and triangular solves in double, at the shapes of small and large fronts.
/// Cost  about a second
std::vector<MeasuredKernel> measure_kernel_rates();

/// STREAM triad a <- b + s c on arrays far beyond the caches: bytes/s of one core (24 bytes an entry).
double triad_bytes_per_s();

}  // namespace overlapack::probe
