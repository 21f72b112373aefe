#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Batches: the classes BatchFloat32 ... BatchComplex128 and the function `factorize_batch`.
void bind_batch(nanobind::module_& module);

}  // namespace overlapack::python
