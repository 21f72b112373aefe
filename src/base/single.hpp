#pragma once
#include "overlapack/scalar.hpp"

#include <type_traits>

namespace overlapack {

/// The type of the same kind in single precision.
template <class T>
using Single = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<float>, float>;

}  // namespace overlapack
