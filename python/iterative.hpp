#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Jacobi's method: the classes JacobiFloat32 ... JacobiComplex128 and the function `jacobi`.
void bind_iterative(nanobind::module_& module);

}  // namespace overlapack::python
