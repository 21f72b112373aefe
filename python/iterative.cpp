#include "iterative.hpp"

#include "arrays.hpp"
#include "files.hpp"
#include "overlapack/iterative.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// A matrix dealt to the ranks that iterate on it, and the watch that its C++ object calls while it works.
template <class T>
class Jacobi {
 public:
  Jacobi(SparseMatrix<T> A, const Settings& settings)
      : watch_(settings.watch),
        jacobi_(watched(*watch_, [&] { return iterative::jacobi(std::move(A), settings.options); })) {}

  /// X for B, n x k by columns; flat, column after column.
  nb::object solve(InputColumns<T> b) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*watch_, [&] { return jacobi_.solve({b.data(), b.size()}, nrhs); });
    return as_numpy(std::move(solution.x));
  }

  void write_timeline(const std::string& path) const { python::write_timeline(jacobi_.timeline(), path); }
  std::string report() const { return to_json(jacobi_.report(), -1); }

 private:
  std::shared_ptr<ProgressWatch> watch_;
  iterative::Jacobi<T> jacobi_;
};

template <class T>
void bind(nb::module_& module, const char* name) {
  nb::class_<Jacobi<T>>(module, name)
      .def("solve", &Jacobi<T>::solve, nb::arg("b").noconvert())
      .def("write_timeline", &Jacobi<T>::write_timeline, "path"_a)
      .def("report", &Jacobi<T>::report);
  module.def(
      "jacobi",
      [](Index rows, Index cols, InputVector<Index> start, InputVector<Index> row, InputVector<T> value,
         const Settings& settings) {
        return Jacobi<T>(sparse_matrix(rows, cols, start, row, value), settings);
      },
      "rows"_a, "cols"_a, "start"_a, "row"_a, nb::arg("value").noconvert(), "settings"_a);
}

}  // namespace

void bind_iterative(nb::module_& module) {
  bind<float>(module, "JacobiFloat32");
  bind<double>(module, "JacobiFloat64");
  bind<std::complex<float>>(module, "JacobiComplex64");
  bind<std::complex<double>>(module, "JacobiComplex128");
}

}  // namespace overlapack::python
