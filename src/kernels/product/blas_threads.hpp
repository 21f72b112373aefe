#pragma once

namespace overlapack::kernels {

/// While at least one of these lives, BLAS computes on the calling thread only (a rank is a thread already).
/// The first one made remembers the thread count that it finds, the last one destroyed restores it.
/// Works for OpenBLAS and MKL, asked of the library that gemm comes from; any other BLAS is left alone.
/// Thread safe.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace overlapack::kernels
