#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Jacobi's method and multisplitting: the classes IterationFloat32 ... IterationComplex128 and the function `iteration`.
void bind_iterative(nanobind::module_& module);

}  // namespace overlapack::python
