#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// _core.read_matrix(path) -> (rows, cols, start, row, value), by compressed columns.
void bind_files(nanobind::module_& module);

}  // namespace overlapack::python
