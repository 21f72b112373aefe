#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Solutions, determinants and entries of the inverse by factors that are kept: what overlapack.jax and overlapack.torch are made of.
void bind_kept(nanobind::module_& module);

}  // namespace overlapack::python
