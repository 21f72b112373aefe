#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// _core.lu_factor(A, settings) -> LuFloat32, ... with solve(b, op), determinant(), reciprocal_condition(), report() and
/// write_timeline(path).
void bind_dense(nanobind::module_& module);

}  // namespace overlapack::python
