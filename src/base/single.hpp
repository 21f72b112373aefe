#pragma once
#include "overlapack/scalar.hpp"

#include <type_traits>

namespace overlapack {

/// The single-precision type for T: float, or std::complex<float> for complex T.
template <class T>
using Single = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<float>, float>;

}  // namespace overlapack
