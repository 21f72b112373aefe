#pragma once
#include <complex>

namespace overlapack::python {

/// bind.operator()<T>("Float32"), for each type of numbers and what names of Python's classes have of it.
template <class Bind>
void for_each_type(Bind&& bind) {
  bind.template operator()<float>("Float32");
  bind.template operator()<double>("Float64");
  bind.template operator()<std::complex<float>>("Complex64");
  bind.template operator()<std::complex<double>>("Complex128");
}

}  // namespace overlapack::python
