#pragma once

namespace overlapack::kernels {

/// While it lives, the calling thread is inside of the BLAS. A BLAS that bears few callers (BlasLibrary::most_callers: beyond them
/// OpenBLAS warns, writes outside of its tables and ends the process) has no more at once: the others wait here. Of one that is
/// made with OpenMP the calling thread gets no helpers, whatever number it has been told elsewhere.
/// Cost    two atomic additions, where there is a limit
/// Source  OpenBLAS issues 4216 and 5639
class BlasCall {
 public:
  BlasCall();
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;
};

}  // namespace overlapack::kernels
