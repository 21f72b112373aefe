#pragma once
#include "kernels/small/table.hpp"
#include "overlapack/scalar.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack::kernels {

/// The level of the small kernels in use, as the x86-64 psABI names it, for example "x86-64-v3"; on aarch64 "aarch64".
std::string_view small_kernel_level();

/// All levels that this processor can run, the best last.
std::vector<std::string_view> small_kernel_levels();

/// Use another of small_kernel_levels(): for tests and measurements, while no kernel runs.
/// Errors  bad_input for a level that this processor cannot run
void use_small_kernel_level(std::string_view level);

namespace small {

/// The table in use. When the library is loaded, the one of this processor's best level is chosen.
extern const Tables* tables;

template <class T>
const Table<T, Real<T>>& kernels_of(const Tables& all) {
  if constexpr (ScalarTraits<T>::type == ScalarType::float32)
    return all.s;
  else if constexpr (ScalarTraits<T>::type == ScalarType::float64)
    return all.d;
  else if constexpr (ScalarTraits<T>::type == ScalarType::complex64)
    return all.c;
  else
    return all.z;
}

template <class T>
const Table<T, Real<T>>& kernels() {
  return kernels_of<T>(*tables);
}

/// The residual kernels of sparse matrices; null pointers if the level in use has none.
template <class T>
ResidualKernels<Real<T>> residual_kernels() {
  if constexpr (ScalarTraits<T>::type == ScalarType::float32)
    return tables->residuals->s;
  else if constexpr (ScalarTraits<T>::type == ScalarType::float64)
    return tables->residuals->d;
  else if constexpr (ScalarTraits<T>::type == ScalarType::complex64)
    return tables->residuals->c;
  else
    return tables->residuals->z;
}

/// The residual kernels of dense real matrices; null pointers if the level in use has none.
template <class R>
DenseResidualKernels<R> dense_residual_kernels() {
  if constexpr (ScalarTraits<R>::type == ScalarType::float32)
    return tables->residuals->dense_s;
  else
    return tables->residuals->dense_d;
}

}  // namespace small
}  // namespace overlapack::kernels
