#include "iterative.hpp"

#include "arrays.hpp"
#include "files.hpp"
#include "overlapack/iterative.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"
#include "warning.hpp"
#include "watched_type.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// A matrix distributed to the ranks that iterate on it, and the watch that its C++ object calls while it works.
template <class T>
class Iteration {
 public:
  Iteration(SparseMatrix<T> A, const InputColumns<T>& near_null_space, const Settings& settings)
      : watch_(settings.watch), iteration_(watched(*watch_, [&] {
          return iterative::iteration(std::move(A), settings.options,
                                      std::span<const T>(near_null_space.data(), near_null_space.size()));
        })) {}

  /// X for B, n x k by columns, from x0, of as many or no columns; flat, column after column; with its warning.
  nb::tuple solve(InputColumns<T> b, InputColumns<T> x0) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*watch_, [&] {
      return iteration_.solve_from({x0.data(), x0.size()}, {b.data(), b.size()}, nrhs);
    });
    return with_warning(solution.report, as_numpy(std::move(solution.x)));
  }
  /// M B; op: 0, 1, 2 for M, M^T, M^H.
  auto apply(InputColumns<T> b, int op) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    return as_numpy(watched(*watch_, [&] {
      return iteration_.apply({b.data(), b.size()}, nrhs, static_cast<Transpose>(op));
    }));
  }
  void refactorize(Index rows, Index cols, const InputIndices& start, const InputIndices& row,
                   InputVector<T> value) {
    auto A = sparse_matrix(rows, cols, start, row, value);
    watched(*watch_, [&] { iteration_.refactorize(std::move(A)); });
  }

  void write_timeline(const std::string& path, const std::string& title) const {
    python::write_timeline(iteration_.timeline(), iteration_.report(), path, title);
  }
  std::string timeline(const std::string& form, const std::string& title) const {
    return timeline_text(iteration_.timeline(), iteration_.report(), form, title);
  }
  std::string report() const { return to_json(iteration_.report(), -1); }
  std::string unused_options() const { return iteration_.report().unused_options; }
  std::string kernel_advice() const { return overlapack::kernel_advice(iteration_.report()); }
  ProgressWatch& watch() const { return *watch_; }

 private:
  std::shared_ptr<ProgressWatch> watch_;
  iterative::Iteration<T> iteration_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  nb::class_<Iteration<T>>(module, name, nb::type_slots(watched_slots<Iteration<T>>))
      .def("solve", &Iteration<T>::solve, nb::arg("b").noconvert(), nb::arg("x0").noconvert())
      .def("apply", &Iteration<T>::apply, nb::arg("b").noconvert(), "op"_a)
      .def("refactorize", &Iteration<T>::refactorize, "rows"_a, "cols"_a, nb::arg("start").noconvert(),
           nb::arg("row").noconvert(), nb::arg("value").noconvert())
      .def("write_timeline", &Iteration<T>::write_timeline, "path"_a, "title"_a)
      .def("timeline", &Iteration<T>::timeline, "form"_a, "title"_a)
      .def("unused_options", &Iteration<T>::unused_options)
      .def("kernel_advice", &Iteration<T>::kernel_advice)
      .def("report", &Iteration<T>::report);
  module.def(
      "iteration",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         InputColumns<T> near_null_space, const Settings& settings) {
        return Iteration<T>(sparse_matrix(rows, cols, start, row, value), near_null_space, settings);
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), nb::arg("near_null_space").noconvert(), "settings"_a);
}

}  // namespace

void bind_iterative(nb::module_& module) {
  bind<float>(module, "IterationFloat32");
  bind<double>(module, "IterationFloat64");
  bind<std::complex<float>>(module, "IterationComplex64");
  bind<std::complex<double>>(module, "IterationComplex128");
}

}  // namespace overlapack::python
