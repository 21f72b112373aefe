#include "dense.hpp"

#include "arrays.hpp"
#include "files.hpp"
#include "overlapack/dense.hpp"
#include "settings.hpp"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

template <class T>
dense::View<T> view(InputColumns<T> A) {
  const auto rows = static_cast<Index>(A.shape(0)), cols = static_cast<Index>(A.shape(1));
  return {A.data(), rows, cols, rows};
}

/// rows, cols, block, grid_rows, grid_cols, is_row_major, first_row, first_col
using LayoutTuple = std::tuple<Index, Index, Index, int, int, bool, int, int>;
dense::Layout layout_from(const LayoutTuple& t) { return std::make_from_tuple<dense::Layout>(t); }

/// The LU factors of one matrix, and the watch that its C++ object calls while it works.
template <class T>
class LuFactors {
 public:
  LuFactors(InputColumns<T> A, const Settings& settings)
      : watch_(settings.watch),
        factors_(watched(*watch_, [&] { return dense::lu_factor(view(A), settings.options); })) {}
  LuFactors(InputColumns<T> mine, const LayoutTuple& layout, const Settings& settings)
      : watch_(settings.watch), factors_(watched(*watch_, [&] {
          return dense::lu_factor_distributed(layout_from(layout), view(mine), settings.options);
        })) {}

  /// X for B, n x k by columns; flat, column after column. op: 0 A, 1 A^T, 2 A^H.
  nb::object solve(InputColumns<T> b, int op) {
    const auto nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*watch_, [&] {
      return factors_.solve({b.data(), b.size()}, nrhs, static_cast<dense::Transpose>(op));
    });
    return as_numpy(std::move(solution.x));
  }

  /// My part of X for my part of B; flat, column after column.
  nb::object solve_distributed(InputColumns<T> mine, const LayoutTuple& layout, int op) {
    auto solution = watched(*watch_, [&] {
      return factors_.solve_distributed(layout_from(layout), view(mine), static_cast<dense::Transpose>(op));
    });
    return as_numpy(std::move(solution.x));
  }

  nb::tuple determinant() {
    const auto det = watched(*watch_, [&] { return factors_.determinant(); });
    return nb::make_tuple(det.mantissa, det.exponent);
  }
  double reciprocal_condition() {
    return watched(*watch_, [&] { return factors_.reciprocal_condition(); });
  }

  void write_timeline(const std::string& path) const { python::write_timeline(factors_.timeline(), path); }
  std::string report() const { return to_json(factors_.report(), -1); }

 private:
  std::shared_ptr<ProgressWatch> watch_;
  dense::LuFactorization<T> factors_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  using Factors = LuFactors<T>;
  nb::class_<Factors>(module, name)
      .def("solve", &Factors::solve, nb::arg("b").noconvert(), "op"_a)
      .def("solve_distributed", &Factors::solve_distributed, nb::arg("mine").noconvert(), "layout"_a, "op"_a)
      .def("determinant", &Factors::determinant)
      .def("reciprocal_condition", &Factors::reciprocal_condition)
      .def("write_timeline", &Factors::write_timeline, "path"_a)
      .def("report", &Factors::report);
  module.def(
      "lu_factor", [](InputColumns<T> A, const Settings& settings) { return Factors(A, settings); },
      nb::arg("A").noconvert(), "settings"_a);
  module.def(
      "lu_factor_distributed",
      [](InputColumns<T> mine, const LayoutTuple& layout, const Settings& settings) {
        return Factors(mine, layout, settings);
      },
      nb::arg("mine").noconvert(), "layout"_a, "settings"_a);
}

}  // namespace

void bind_dense(nb::module_& module) {
  bind<float>(module, "LuFloat32");
  bind<double>(module, "LuFloat64");
  bind<std::complex<float>>(module, "LuComplex64");
  bind<std::complex<double>>(module, "LuComplex128");
}

}  // namespace overlapack::python
