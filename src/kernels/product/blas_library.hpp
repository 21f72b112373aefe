#pragma once
#include "overlapack/blas_info.hpp"

#include <string_view>

namespace overlapack::kernels {

/// BlasInfo, and what overlapack's own calls of the BLAS must know.
struct BlasLibrary : BlasInfo {
  /// It has several sets of kernels, of which OPENBLAS_CORETYPE selects one
  bool chooses_kernels = false;
  /// Most threads that may be inside it at once (blas_call.hpp); 0: no limit
  int most_concurrent_callers = 0;
  /// It starts its threads by OpenMP
  bool has_openmp = false;
  /// It is built for 64-bit integers, so that calls with 32-bit integers fail
  bool has_long_integers = false;
};

/// The BLAS of this process; queried from the library at the first call.
const BlasLibrary& blas_library();

/// The instruction-set level of the BLAS's kernels, from the name that OpenBLAS or BLIS gives them, or from MKL's description of
/// the processor. Empty if it is unknown.
std::string_view level_of_kernel_name(std::string_view name);

/// Address of a function of the library that gemm comes from, by its name without prefix; null if there is none. Other copies of
/// a BLAS may be in the process (NumPy has one).
void* blas_symbol(const char* name);

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(blas_symbol(name));
}

}  // namespace overlapack::kernels
