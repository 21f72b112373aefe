#pragma once

namespace overlapack::kernels {

/// Guard around one call of the BLAS by the calling thread. If the BLAS allows only a limited number of concurrent callers
/// (BlasLibrary::most_concurrent_callers), the constructor waits until there are fewer: beyond the limit OpenBLAS warns, writes
/// outside of its tables and ends the process. If the BLAS uses OpenMP, the constructor sets the calling thread's OpenMP thread
/// count to 1.
/// Cost    two atomic additions, if there is a limit
/// Source  OpenBLAS issues 4216 and 5639
class BlasCall {
 public:
  BlasCall();
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;
};

}  // namespace overlapack::kernels
