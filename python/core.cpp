/// overlapack._core: the C++ library as the functions that python/overlapack calls. No numerics, no choices:
/// arrays come in as overlapack/_matrix.py makes them, options and reports travel as JSON.
#include "arrays.hpp"
#include "dense.hpp"
#include "files.hpp"
#include "iterative.hpp"
#include "overlapack/overlapack.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <new>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// The factors of one matrix, and the watch that its C++ object calls while it works.
template <class T>
class Factors {
 public:
  Factors(SparseMatrix<T> A, const Settings& settings)
      : watch_(settings.watch),
        factors_(watched(*watch_, [&] { return factorize(std::move(A), settings.options); })) {}

  /// X for B, n x k by columns; flat, column after column. op: 0 A, 1 A^T, 2 A^H.
  nb::object solve(InputColumns<T> b, int op) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    auto solution =
        watched(*watch_, [&] { return factors_.solve({b.data(), b.size()}, nrhs, static_cast<Transpose>(op)); });
    return as_numpy(std::move(solution.x));
  }

  nb::tuple determinant() {
    const auto det = watched(*watch_, [&] { return factors_.determinant(); });
    return nb::make_tuple(det.mantissa, det.exponent);
  }
  double reciprocal_condition() {
    return watched(*watch_, [&] { return factors_.reciprocal_condition(); });
  }
  nb::tuple inertia() const {
    const Inertia inertia = factors_.inertia();
    return nb::make_tuple(inertia.positive, inertia.negative, inertia.zero);
  }

  void write_timeline(const std::string& path) const { python::write_timeline(factors_.timeline(), path); }

  std::string report() const { return to_json(factors_.report(), -1); }

 private:
  std::shared_ptr<ProgressWatch> watch_;
  Factorization<T> factors_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  nb::class_<Factors<T>>(module, name)
      .def("solve", &Factors<T>::solve, nb::arg("b").noconvert(), "op"_a)
      .def("determinant", &Factors<T>::determinant)
      .def("reciprocal_condition", &Factors<T>::reciprocal_condition)
      .def("inertia", &Factors<T>::inertia)
      .def("write_timeline", &Factors<T>::write_timeline, nb::arg("path"))
      .def("report", &Factors<T>::report);
  module.def(
      "factorize",
      [](Index rows, Index cols, InputVector<Index> start, InputVector<Index> row, InputVector<T> value,
         const Settings& settings) {
        return Factors<T>(sparse_matrix(rows, cols, start, row, value), settings);
      },
      "rows"_a, "cols"_a, "start"_a, "row"_a, nb::arg("value").noconvert(), "settings"_a);
  module.def(
      "plan",
      [](Index rows, Index cols, InputVector<Index> start, InputVector<Index> row, InputVector<T> value,
         const Settings& settings) {
        return watched(*settings.watch, [&, A = sparse_matrix(rows, cols, start, row, value)]() mutable {
          return to_json(plan(std::move(A), settings.options), -1);
        });
      },
      "rows"_a, "cols"_a, "start"_a, "row"_a, nb::arg("value").noconvert(), "settings"_a);
}

/// overlapack::Error as the exception class of its kind, made by overlapack/_errors.py.
void raise(std::string_view kind, const std::string& where, const char* message) {
  nb::object make = nb::module_::import_("overlapack._errors").attr("make_error");
  nb::object exception = make(kind, where, message);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& e) {
    raise(to_string(e.kind()), e.where(), e.what());
  } catch (const std::bad_alloc&) {
    raise(to_string(ErrorKind::out_of_memory), "python",
          "there is not enough memory; free some, or solve on more ranks");
  }
}

}  // namespace
}  // namespace overlapack::python

NB_MODULE(_core, module) {
  using namespace overlapack::python;
  nb::register_exception_translator(translate);
  nb::class_<Settings>(module, "Settings")
      .def(nb::init<std::string_view, InputVector<overlapack::Index>, nb::object, std::uintptr_t>(),
           "options"_a, "user_order"_a, "progress"_a.none(), "communicator"_a);
  bind<float>(module, "FactorsFloat32");
  bind<double>(module, "FactorsFloat64");
  bind<std::complex<float>>(module, "FactorsComplex64");
  bind<std::complex<double>>(module, "FactorsComplex128");
  bind_dense(module);
  bind_iterative(module);
  bind_files(module);
  module.def("options_schema", &overlapack::options_schema_json);
}
