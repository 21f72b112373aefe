#pragma once
#include <complex>

/// Applies a macro that instantiates templates to the four scalar types.
#define OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(float)                            \
  INSTANTIATE(double)                           \
  INSTANTIATE(std::complex<float>)              \
  INSTANTIATE(std::complex<double>)

/// The same for a class template.
#define OVERLAPACK_INSTANTIATE_CLASS(CLASS)  \
  template class CLASS<float>;               \
  template class CLASS<double>;              \
  template class CLASS<std::complex<float>>; \
  template class CLASS<std::complex<double>>
