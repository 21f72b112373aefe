#pragma once

namespace overlapack::kernels {

/// While it lives, the calling thread is inside of the BLAS. If the BLAS allows a limited number of callers
/// (BlasLibrary::most_concurrent_callers: beyond them OpenBLAS warns, writes outside of its tables and ends the process), the constructor
/// waits until there are fewer. If the BLAS uses OpenMP, the calling thread's OpenMP thread count is set to 1.
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
