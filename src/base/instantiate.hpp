#pragma once
#include <complex>

/// Calls the macro INSTANTIATE, which instantiates templates for one scalar type, for each of the four.
#define OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(float)                            \
  INSTANTIATE(double)                           \
  INSTANTIATE(std::complex<float>)              \
  INSTANTIATE(std::complex<double>)

/// Instantiates a class template for the four scalar types.
#define OVERLAPACK_INSTANTIATE_CLASS(CLASS)  \
  template class CLASS<float>;               \
  template class CLASS<double>;              \
  template class CLASS<std::complex<float>>; \
  template class CLASS<std::complex<double>>
