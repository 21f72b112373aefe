#pragma once
/// Which BLAS there is, and whether it has kernels for this processor.
#include "overlapack/export.hpp"

#include <string>

namespace overlapack {

/// The BLAS that computes products of large blocks, as it describes itself. A string is empty where the BLAS has no answer.
struct BlasInfo {
  /// "OpenBLAS 0.3.21", "BLIS 0.9.0", "MKL 2026.2", "unknown BLAS"
  std::string name = {};
  /// The kernels that it has chosen, by its own name: "SkylakeX"
  std::string kernels = {};
  /// The level of their instruction set: "x86-64", "x86-64-v3", "x86-64-v4"
  std::string level = {};
  /// The highest level of this processor
  std::string processor_level = {};
  /// The file that it was loaded from
  std::string file = {};
  /// The OPENBLAS_CORETYPE of an OpenBLAS that has kernels for this processor and has not chosen them; else empty
  std::string better_core = {};
  /// One sentence where it does not suit this processor or this library, and what to do; else empty
  std::string shortcoming = {};

  /// "OpenBLAS 0.3.21, kernels SkylakeX"
  std::string text() const { return name + (kernels.empty() ? "" : ", kernels " + kernels); }
  // Names of levels compare as strings: newer ones are greater.
  bool has_old_kernels() const { return !level.empty() && level < processor_level; }
  /// Such kernels end a program at their first product.
  bool has_too_new_kernels() const { return processor_level < level; }
};

/// Determined once a process, by asking the BLAS itself.
OVERLAPACK_API const BlasInfo& blas_info();

}  // namespace overlapack
