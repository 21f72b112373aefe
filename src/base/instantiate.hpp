#pragma once
#include <complex>

/// Applies a macro that instantiates templates to the four scalar types.
#define OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(float)                            \
  INSTANTIATE(double)                           \
  INSTANTIATE(std::complex<float>)              \
  INSTANTIATE(std::complex<double>)
