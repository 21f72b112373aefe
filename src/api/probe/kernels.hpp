#pragma once
#include <string>
#include <vector>

namespace overlapack::api {

/// One kernel at one shape on one core.
struct MeasuredKernel {
  std::string kernel;
  std::string shape;
  double seconds = 0;  ///< of one call, the least of several
  double flops = 0;
  double bytes = 0;
};

/// gemm, panels and triangular solves in double, at the shapes of small and large fronts.
/// Cost  about a second
std::vector<MeasuredKernel> kernel_rates();

/// STREAM triad a <- b + s c on arrays far beyond the caches: bytes/s of one core (24 bytes an entry).
double triad_bytes_per_s();

}  // namespace overlapack::api
