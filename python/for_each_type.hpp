#pragma once
#include <complex>

namespace overlapack::python {

/// Call bind.operator()<T>("Float32") for each scalar type T, with the part that names of Python's classes have for it.
template <class Bind>
void for_each_type(Bind&& bind) {
  bind.template operator()<float>("Float32");
  bind.template operator()<double>("Float64");
  bind.template operator()<std::complex<float>>("Complex64");
  bind.template operator()<std::complex<double>>("Complex128");
}

}  // namespace overlapack::python
