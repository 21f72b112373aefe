#pragma once
#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Solutions, determinants and entries of the inverse by kept factors, for overlapack.jax and overlapack.torch.
void bind_kept(nanobind::module_& module);

}  // namespace overlapack::python
