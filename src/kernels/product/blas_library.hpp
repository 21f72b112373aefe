#pragma once
#include "overlapack/blas_info.hpp"

#include <string_view>

namespace overlapack::kernels {

/// BlasInfo and what overlapack's own calls need.
struct BlasLibrary : BlasInfo {
  /// It has several sets of kernels; OPENBLAS_CORETYPE selects one
  bool chooses_kernels = false;
  /// Threads that may be inside of it at once (blas_call.hpp); 0: no limit
  int most_concurrent_callers = 0;
  /// Its threads are OpenMP's
  bool has_openmp = false;
  /// It reports integers of 64 bits: calls with 32-bit integers fail
  bool has_long_integers = false;
};

/// Queried from the library, once a process.
const BlasLibrary& blas_library();

/// The level of the kernels, by the name that OpenBLAS or BLIS gives them, or MKL's description of the processor. Empty: unknown.
std::string_view level_of_kernel_name(std::string_view name);

/// A function of the library that gemm comes from (other copies may be in the process: NumPy has one), by its name without prefix.
void* blas_symbol(const char* name);

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(blas_symbol(name));
}

}  // namespace overlapack::kernels
