#include "schur.hpp"

#include "arrays.hpp"
#include "for_each_type.hpp"
#include "overlapack/overlapack.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"
#include "warning.hpp"
#include "watched_type.hpp"

#include <nanobind/stl/string.h>

#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// SchurComplement for Python, with the watch that the library calls while it works.
template <class T>
class Schur {
 public:
  Schur(SparseMatrix<T> A, InputVector<Index> variables, const Settings& settings)
      : watch_(settings.watch), schur_(watched(*watch_, [&] {
          return schur(std::move(A), {variables.data(), variables.size()}, settings.options);
        })) {}

  /// S, order x order, flat and column after column.
  nb::object matrix() const { return as_numpy(std::vector<T>(schur_.matrix())); }
  nb::tuple condense(InputColumns<T> b) {
    const auto nrhs = static_cast<Index>(b.shape(1));
    return answer(watched(*watch_, [&] { return schur_.condense({b.data(), b.size()}, nrhs); }));
  }
  nb::tuple expand(InputColumns<T> b, InputColumns<T> x) {
    const auto nrhs = static_cast<Index>(b.shape(1));
    return answer(watched(*watch_, [&] {
      return schur_.expand({b.data(), b.size()}, {x.data(), x.size()}, nrhs);
    }));
  }
  /// (the warning, the status) of the last solve with A_ii.
  nb::tuple doubt() const { return with_warning(copy_report()); }
  std::string report() const { return to_json(copy_report(), -1); }

  ProgressWatch& watch() const { return *watch_; }

 private:
  Report copy_report() const {
    return unlocked([&] { return schur_.copy_report(); });
  }
  static nb::tuple answer(Solution<T> made) { return with_warning(made.report, as_numpy(std::move(made.x))); }

  std::shared_ptr<ProgressWatch> watch_;
  SchurComplement<T> schur_;
};

template <class T>
void bind_schur_of(nb::module_& module, const std::string& type) {
  nb::class_<Schur<T>>(module, ("Schur" + type).c_str(), nb::type_slots(watched_slots<Schur<T>>))
      .def("matrix", &Schur<T>::matrix)
      .def("condense", &Schur<T>::condense, nb::arg("b").noconvert())
      .def("expand", &Schur<T>::expand, nb::arg("b").noconvert(), nb::arg("x").noconvert())
      .def("doubt", &Schur<T>::doubt)
      .def("report", &Schur<T>::report);
  module.def(
      "schur",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         InputVector<Index> variables, const Settings& settings) {
        return Schur<T>(sparse_matrix(rows, cols, start, row, value), variables, settings);
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "variables"_a, "settings"_a);
}

}  // namespace

void bind_schur(nb::module_& module) {
  for_each_type([&]<class T>(const std::string& type) { bind_schur_of<T>(module, type); });
}

}  // namespace overlapack::python
