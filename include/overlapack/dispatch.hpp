#pragma once
/// Calls a template with the C++ type of a ScalarType that is known only at run time.
#include "overlapack/scalar.hpp"

#include <complex>

namespace overlapack {

/// Call f.template operator()<T>() with the T that belongs to `type`: dispatch(type, [&]<class T>() { ... }). Returns f's result.
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
