#include "iterative.hpp"

#include "for_each_type.hpp"
#include "overlapack/iterative.hpp"
#include "sparse_input.hpp"
#include "watched_factors.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// iterative::Iteration for Python.
template <class T>
class Iteration : public WatchedFactors<T, iterative::Iteration<T>> {
 public:
  Iteration(SparseMatrix<T> A, const InputColumns<T>& near_null_space, const Settings& settings)
      : WatchedFactors<T, iterative::Iteration<T>>(settings, [&] {
          return iterative::iteration(std::move(A), settings.options,
                                      std::span<const T>(near_null_space.data(), near_null_space.size()));
        }) {}

  /// Solve for B, n x k by columns, from x0, which has as many columns or none. Returns X, flat and column after column, with its warning.
  nb::tuple solve(InputColumns<T> b, InputColumns<T> x0) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*this->watch_, [&] {
      return this->factors_.solve_from({x0.data(), x0.size()}, {b.data(), b.size()}, nrhs);
    });
    return with_warning(solution.report, as_numpy(std::move(solution.x)));
  }
  /// Compute op(M) B; op: 0, 1, 2 for M, M^T, M^H.
  auto apply(InputColumns<T> b, int op) {
    const Index nrhs = static_cast<Index>(b.shape(1));
    return as_numpy(watched(*this->watch_, [&] {
      return this->factors_.apply({b.data(), b.size()}, nrhs, static_cast<Transpose>(op));
    }));
  }
  void refactorize(Index rows, Index cols, const InputIndices& start, const InputIndices& row,
                   InputVector<T> value) {
    auto A = sparse_matrix(rows, cols, start, row, value);
    watched(*this->watch_, [&] { this->factors_.refactorize(std::move(A)); });
  }
};

template <class T>
void bind_iteration_of(nb::module_& module, const std::string& name) {
  bind_watched<Iteration<T>>(module, name)
      .def("solve", &Iteration<T>::solve, nb::arg("b").noconvert(), nb::arg("x0").noconvert())
      .def("apply", &Iteration<T>::apply, nb::arg("b").noconvert(), "op"_a)
      .def("refactorize", &Iteration<T>::refactorize, "rows"_a, "cols"_a, nb::arg("start").noconvert(),
           nb::arg("row").noconvert(), nb::arg("value").noconvert());
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
  for_each_type([&]<class T>(const std::string& type) { bind_iteration_of<T>(module, "Iteration" + type); });
}

}  // namespace overlapack::python
