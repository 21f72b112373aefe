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
  Iteration(SparseMatrix<T> A, const Settings& settings)
      : watch_(settings.watch),
        iteration_(watched(*watch_, [&] { return iterative::iteration(std::move(A), settings.options); })) {}

  /// X for B, n x k by columns; flat, column after column; with its warning.
  nb::tuple solve(InputColumns<T> b) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*watch_, [&] { return iteration_.solve({b.data(), b.size()}, nrhs); });
    return with_warning(solution.report, as_numpy(std::move(solution.x)));
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
      .def("solve", &Iteration<T>::solve, nb::arg("b").noconvert())
      .def("write_timeline", &Iteration<T>::write_timeline, "path"_a, "title"_a)
      .def("timeline", &Iteration<T>::timeline, "form"_a, "title"_a)
      .def("unused_options", &Iteration<T>::unused_options)
      .def("kernel_advice", &Iteration<T>::kernel_advice)
      .def("report", &Iteration<T>::report);
  module.def(
      "iteration",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         const Settings& settings) {
        return Iteration<T>(sparse_matrix(rows, cols, start, row, value), settings);
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "settings"_a);
}

}  // namespace

void bind_iterative(nb::module_& module) {
  bind<float>(module, "IterationFloat32");
  bind<double>(module, "IterationFloat64");
  bind<std::complex<float>>(module, "IterationComplex64");
  bind<std::complex<double>>(module, "IterationComplex128");
}

}  // namespace overlapack::python
