#pragma once
#include "overlapack/blas_info.hpp"

#include <string_view>

namespace overlapack::kernels {

/// The same with what only our calls of it need to know.
struct BlasLibrary : BlasInfo {
  /// It has several sets of kernels, of which OPENBLAS_CORETYPE names one
  bool chooses_kernels = false;
  /// Threads that may be inside of it at once (blas_call.hpp); 0: as many as there are
  int most_callers = 0;
  /// Its threads are OpenMP's
  bool has_openmp = false;
  /// It says that its integers have 64 bits: then no call of ours is understood
  bool has_long_integers = false;
};

/// Asked of the library itself, once a process.
const BlasLibrary& blas_library();

/// The level of kernels of OpenBLAS or BLIS by the name of their kernels; of MKL by its words for a processor. Empty: a name not known.
std::string_view level_of_kernels(std::string_view name);

/// A function of the library that gemm comes from (other copies may be in the process: NumPy has one), by its name without prefix.
void* blas_symbol(const char* name);

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(blas_symbol(name));
}

}  // namespace overlapack::kernels
