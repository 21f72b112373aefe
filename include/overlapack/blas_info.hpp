#pragma once
/// Which BLAS there is, and whether it has kernels for this processor.
#include "overlapack/export.hpp"

#include <string>

namespace overlapack {

/// The BLAS that products of large blocks are left to, by its own word. A string is empty where it does not tell.
struct BlasInfo {
  /// "OpenBLAS 0.3.21", "BLIS 0.9.0", "MKL 2026.2", "unknown BLAS"
  std::string name = {};
  /// Those that it has chosen, as it calls them: "SkylakeX"
  std::string kernels = {};
  /// Of the instruction set that they are made for: "x86-64", "x86-64-v3", "x86-64-v4"
  std::string level = {};
  /// The highest that this processor has
  std::string processor_level = {};
  /// Where it has been loaded from
  std::string file = {};
  /// The OPENBLAS_CORETYPE of an OpenBLAS that has kernels for this processor and has not chosen them; else empty
  std::string better_core = {};
  /// One sentence where it is not fit for this processor or for us, and what to do; else empty
  std::string shortcoming = {};

  /// "OpenBLAS 0.3.21, kernels SkylakeX"
  std::string text() const { return name + (kernels.empty() ? "" : ", kernels " + kernels); }
  // The levels' names are in the order of their age.
  bool has_old_kernels() const { return !level.empty() && level < processor_level; }
  /// They end a program at their first product.
  bool has_too_new_kernels() const { return processor_level < level; }
};

/// Asked of the library itself, once a process.
OVERLAPACK_API const BlasInfo& blas_info();

}  // namespace overlapack
