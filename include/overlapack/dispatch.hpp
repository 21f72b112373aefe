#pragma once
/// From a type that is known when the program runs to one of the compiler's.
#include "overlapack/scalar.hpp"

#include <complex>

namespace overlapack {

/// f.template operator()<T>() for the T of a type: dispatch(type, [&]<class T>() { ... }).
template <class F>
decltype(auto) dispatch(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::float32:
      return f.template operator()<float>();
    case ScalarType::float64:
      return f.template operator()<double>();
    case ScalarType::complex64:
      return f.template operator()<std::complex<float>>();
    case ScalarType::complex128:
      break;
  }
  return f.template operator()<std::complex<double>>();
}

}  // namespace overlapack
