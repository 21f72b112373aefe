#pragma once

namespace overlapack::kernels {

/// While at least one of these lives, the BLAS computes on the calling thread only, because each rank is a thread already.
/// The first one made remembers the BLAS's thread count, the last one destroyed restores it.
/// It works for OpenBLAS and MKL, by functions of the library that gemm comes from; any other BLAS is left alone.
/// Thread safe.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace overlapack::kernels
