#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Sparse matrices: the classes FactorsFloat32 ... FactorsComplex128, HalfFloat32 ..., Analysis, and the functions `factorize`,
/// `factorize_distributed`, `load_factors_Float32` ..., `diagnose`, `analyse`, `plan`, `load_analysis`.
void bind_factors(nanobind::module_& module);

}  // namespace overlapack::python
