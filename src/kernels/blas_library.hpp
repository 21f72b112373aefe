#pragma once
#include <string>
#include <string_view>

namespace overlapack::kernels {

/// The library that gemm of large blocks comes from, and which of its kernels it has chosen for this processor.
struct BlasLibrary {
  std::string name = {};     ///< "OpenBLAS 0.3.21", "BLIS 0.9.0", "MKL 2026.2", "unknown BLAS"
  std::string kernels = {};  ///< as the library calls them: "SkylakeX"; empty where it does not tell
  /// The level of the instruction set that they are made for, as small_kernel_level() names it; empty where that is not known.
  std::string level = {};
  std::string file = {};  ///< where it has been loaded from
  std::string better_core =
      {};  ///< OpenBLAS with older kernels than it has: the OPENBLAS_CORETYPE to give it; else empty
  int most_callers =
      0;  ///< threads that may be inside of it at once (blas_call.hpp); 0: as many as there are
  bool has_openmp = false;  ///< its threads are OpenMP's
  bool has_long_integers =
      false;  ///< it says that its integers have 64 bits: then no call of ours is understood

  /// "OpenBLAS 0.3.21, kernels SkylakeX"
  std::string description() const { return name + (kernels.empty() ? "" : ", kernels " + kernels); }
};

/// Asked of the library itself, once a process.
const BlasLibrary& blas_library();

/// The level of kernels of OpenBLAS or BLIS by the name of their kernels; of MKL by its words for a processor. Empty: a name not known.
std::string_view level_of_kernels(std::string_view name);

/// Are kernels of one level older than those of another? Unknown ones are not.
bool is_older(std::string_view level, std::string_view other);

/// A function of the library that gemm comes from (other copies may be in the process: NumPy has one), by its name without prefix.
void* blas_symbol(const char* name);

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(blas_symbol(name));
}

}  // namespace overlapack::kernels
