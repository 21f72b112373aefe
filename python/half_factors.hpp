#pragma once
#include "arrays.hpp"
#include "gil.hpp"
#include "overlapack/overlapack.hpp"
#include "settings.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

namespace overlapack::python {

/// An array that a call overwrites: n numbers, or n x k by columns.
template <class T>
using InPlace = nanobind::ndarray<T, nanobind::f_contig, nanobind::device::cpu>;
template <class T>
Index columns_of(const InPlace<T>& x) {
  return x.ndim() == 2 ? static_cast<Index>(x.shape(1)) : 1;
}

/// HalfFactors for Python. Each call takes n x k numbers by columns and returns as many, flat.
template <class T>
class Half {
 public:
  explicit Half(HalfFactors<T> half) : half_(std::move(half)) {}
  Index order() const { return half_.order(); }

  template <void (HalfFactors<T>::*apply)(std::span<T>, Index) const>
  nanobind::object applied(InputColumns<T> b) const {
    std::vector<T> x(b.data(), b.data() + b.size());
    const auto columns = static_cast<Index>(b.shape(1));
    if (is_short(columns))
      (half_.*apply)(x, columns);
    else
      unlocked([&] { (half_.*apply)(x, columns); });
    return as_numpy(std::move(x));
  }
  /// x <- A^{-1} x in place.
  void substitute(InPlace<T> x) {
    const std::span<T> numbers(x.data(), x.size());
    const Index columns = columns_of(x);
    if (is_short(columns)) {
      half_.substitute(numbers, columns, room_);
      return;
    }
    std::vector<T> room(static_cast<std::size_t>(order()));
    unlocked([&] { half_.substitute(numbers, columns, room); });
  }

 private:
  /// Whether the call takes less time than a switch of threads, so that it keeps the GIL.
  bool is_short(Index columns) const { return half_.parts().L.nnz() * columns < short_call; }
  static constexpr Index short_call = 20000;  ///< entries of L, once for each column

  HalfFactors<T> half_;
  std::vector<T> room_ = std::vector<T>(static_cast<std::size_t>(half_.order()));
};

/// Bind the class of a type, such as HalfFloat64.
template <class T>
void bind_half(nanobind::module_& module, const std::string& type) {
  using Kept = HalfFactors<T>;
  const auto b = nanobind::arg("b").noconvert();
  nanobind::class_<Half<T>>(module, ("Half" + type).c_str())
      .def("order", &Half<T>::order)
      .def("substitute", &Half<T>::substitute, nanobind::arg("x").noconvert())
      .def("solve_l", &Half<T>::template applied<&Kept::solve_l>, b)
      .def("solve_d", &Half<T>::template applied<&Kept::solve_d>, b)
      .def("solve_lt", &Half<T>::template applied<&Kept::solve_lt>, b)
      .def("multiply", &Half<T>::template applied<&Kept::multiply>, b)
      .def("solve", &Half<T>::template applied<&Kept::solve>, b)
      .def("solve_adjoint", &Half<T>::template applied<&Kept::solve_adjoint>, b);
}

}  // namespace overlapack::python
