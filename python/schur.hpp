#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Schur complements: the classes SchurFloat32 ... SchurComplex128 and the function `schur`.
void bind_schur(nanobind::module_& module);

}  // namespace overlapack::python
