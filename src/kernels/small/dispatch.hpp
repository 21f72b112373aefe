#pragma once
#include "kernels/small/table.hpp"
#include "overlapack/scalar.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack::kernels {

/// The level of the small kernels in use, as the psABI names it: "x86-64-v3"; "aarch64" there.
std::string_view small_kernel_level();

/// All levels that this processor can run, the best last.
std::vector<std::string_view> small_kernel_levels();

/// Use another of small_kernel_levels(): for tests and measurements, while no kernel runs.
/// Errors  bad_input for a level that this processor cannot run
void use_small_kernel_level(std::string_view level);

namespace small {

/// The table chosen at load for the best level of this processor.
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

/// Of sparse matrices; null where this processor's level has none.
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

/// Of dense real matrices; null as above.
template <class R>
DenseResidualKernels<R> dense_residual_kernels() {
  if constexpr (ScalarTraits<R>::type == ScalarType::float32)
    return tables->residuals->dense_s;
  else
    return tables->residuals->dense_d;
}

}  // namespace small
}  // namespace overlapack::kernels
