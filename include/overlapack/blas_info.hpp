#pragma once
/// Which BLAS there is, and whether it has kernels for this processor.
#include "overlapack/export.hpp"

#include <string>

namespace overlapack {

/// The BLAS that computes products of large blocks, as it describes itself. A string is empty where the BLAS has no answer.
struct BlasInfo {
  /// "OpenBLAS 0.3.21", "BLIS 0.9.0", "MKL 2026.2", "unknown BLAS"
  std::string name = {};
  /// The BLAS's own name for the kernels that it has chosen: "SkylakeX"
  std::string kernels = {};
  /// The instruction set level of these kernels: "x86-64", "x86-64-v3", "x86-64-v4"
  std::string level = {};
  /// The highest level of this processor
  std::string processor_level = {};
  /// The file that it was loaded from
  std::string file = {};
  /// The value for OPENBLAS_CORETYPE if an OpenBLAS has kernels for this processor but has not chosen them; else empty
  std::string better_core = {};
  /// One sentence, with what to do, if the BLAS does not suit this processor or this library; else empty
  std::string shortcoming = {};

  /// "OpenBLAS 0.3.21, kernels SkylakeX"
  std::string text() const { return name + (kernels.empty() ? "" : ", kernels " + kernels); }
  // The names of levels compare as strings: a newer level is greater.
  /// Whether the kernels use less than this processor's instruction set, and so are slower than necessary.
  bool has_old_kernels() const { return !level.empty() && level < processor_level; }
  /// Whether the kernels use instructions that this processor does not have. Such a program ends at its first product.
  bool has_too_new_kernels() const { return processor_level < level; }
};

/// The BLAS of this process. The first call asks the BLAS itself; later calls return the same answer.
OVERLAPACK_API const BlasInfo& blas_info();

}  // namespace overlapack
