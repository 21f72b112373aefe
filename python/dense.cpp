#include "dense.hpp"

#include "for_each_type.hpp"
#include "overlapack/dense.hpp"
#include "watched_factors.hpp"

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

template <class T>
dense::View<T> view(InputMatrix<T> A) {
  const auto rows = static_cast<Index>(A.shape(0)), cols = static_cast<Index>(A.shape(1));
  const Index row_stride = rows > 1 ? A.stride(0) : 1;  // one row, and one column, may have any stride
  return {A.data(), rows, cols, cols > 1 ? A.stride(1) : rows * row_stride, row_stride};
}

/// rows, cols, block, grid_rows, grid_cols, is_row_major, first_row, first_col
using LayoutTuple = std::tuple<Index, Index, Index, int, int, bool, int, int>;
dense::Layout layout_from(const LayoutTuple& t) { return std::make_from_tuple<dense::Layout>(t); }

/// The factors of one dense matrix for Python.
template <class T, class Factorization>
class Factors : public WatchedFactors<T, Factorization> {
 public:
  using WatchedFactors<T, Factorization>::WatchedFactors;

  /// Solve for this process's part of B. Returns its part of X, flat and column after column, with its warning.
  nb::tuple solve_distributed(InputColumns<T> mine, const LayoutTuple& layout, int op) {
    auto solution = watched(*this->watch_, [&] {
      return this->factors_.solve_distributed(layout_from(layout), view(mine),
                                              static_cast<dense::Transpose>(op));
    });
    return with_warning(solution.report, as_numpy(std::move(solution.x)));
  }
};

template <class Kind>
nb::class_<Kind> bind_factors(nb::module_& module, const std::string& name) {
  return bind_direct<Kind>(module, name)
      .def("solve_distributed", &Kind::solve_distributed, nb::arg("mine").noconvert(), "layout"_a, "op"_a);
}

/// Bind a function that makes factors of a whole matrix.
template <class T, class Kind, class Whole>
void bind_whole(nb::module_& module, const char* name, Whole whole) {
  module.def(
      name,
      [whole](InputMatrix<T> A, const Settings& settings) {
        return Kind(settings, [&] { return whole(view(A), settings.options); });
      },
      nb::arg("A").noconvert(), "settings"_a);
}

/// Bind the functions that make factors: of a whole matrix, and of a distributed one.
template <class T, class Kind, class Whole, class Distributed>
void bind_making(nb::module_& module, const char* name, Whole whole, const char* distributed_name,
                 Distributed distributed) {
  bind_whole<T, Kind>(module, name, whole);
  module.def(
      distributed_name,
      [distributed](InputColumns<T> mine, const LayoutTuple& layout, const Settings& settings) {
        return Kind(settings, [&] { return distributed(layout_from(layout), view(mine), settings.options); });
      },
      nb::arg("mine").noconvert(), "layout"_a, "settings"_a);
}

/// Solve by factors of A that are not kept. Returns X, flat, with its warning, the unused options, advice on the BLAS's kernels, and the report if
/// it is wanted.
template <class T>
nb::object solve_once(InputMatrix<T> A, InputColumns<T> b, const Settings& settings, bool wants_report) {
  auto solution = watched(*settings.watch, [&] {
    return dense::solve(view(A), std::span<const T>{b.data(), b.size()}, settings.options);
  });
  const Report& report = solution.report;
  nb::object told = wants_report ? nb::cast(to_json(report, -1)) : nb::none();
  return with_warning(report, as_numpy(std::move(solution.x))) +
         nb::make_tuple(report.unused_options, kernel_advice(report), told);
}

template <class T>
void bind_lu(nb::module_& module, const std::string& type) {
  using Lu = Factors<T, dense::LuFactorization<T>>;
  bind_factors<Lu>(module, "Lu" + type);
  bind_making<T, Lu>(module, "lu_factor", dense::lu_factor<T>, "lu_factor_distributed",
                     dense::lu_factor_distributed<T>);
  module.def("dense_solve", solve_once<T>, nb::arg("A").noconvert(), nb::arg("b").noconvert(), "settings"_a,
             "wants_report"_a);
}

template <class T>
void bind_cholesky(nb::module_& module, const std::string& type) {
  using Cholesky = Factors<T, dense::CholeskyFactorization<T>>;
  bind_factors<Cholesky>(module, "Cholesky" + type);
  using View = dense::View<T>;
  const auto lower = [](View A, const Options& options) { return dense::cholesky_factor(A, options); };
  const auto whole = [](View A, const Options& options) {
    return dense::cholesky_factor(A, options, dense::Stored::whole);
  };
  bind_making<T, Cholesky>(module, "cholesky_factor", lower, "cholesky_factor_distributed",
                           dense::cholesky_factor_distributed<T>);
  bind_whole<T, Cholesky>(module, "cholesky_factor_whole", whole);
}

/// The factors of QR for Python, with the functions that only QR has.
template <class T>
class QrFactors : public Factors<T, dense::QrFactorization<T>> {
 public:
  using Factors<T, dense::QrFactorization<T>>::Factors;

  /// Compute op(Q) C, flat and column after column.
  nb::object multiply_q(InputColumns<T> C, int op) {
    const auto columns = static_cast<Index>(C.shape(1));
    auto product = watched(*this->watch_, [&] {
      return this->factors_.multiply_q({C.data(), C.size()}, columns, static_cast<dense::Transpose>(op));
    });
    return as_numpy(std::move(product));
  }
  /// R, n x n, flat and column after column.
  nb::object r() {
    return as_numpy(watched(*this->watch_, [&] { return this->factors_.r(); }));
  }
  int rank() const { return this->factors_.process(); }
};

template <class T>
void bind_qr(nb::module_& module, const std::string& type) {
  using Qr = QrFactors<T>;
  bind_factors<Qr>(module, "Qr" + type)
      .def("multiply_q", &Qr::multiply_q, nb::arg("C").noconvert(), "op"_a)
      .def("r", &Qr::r)
      .def("rank", &Qr::rank);
  bind_making<T, Qr>(module, "qr_factor", dense::qr_factor<T>, "qr_factor_distributed",
                     dense::qr_factor_distributed<T>);
}

/// Bind the triangular solve, which returns this process's part of X = op(A)^-1 B, flat and column after column.
template <class T>
void bind_solve_triangle(nb::module_& module) {
  module.def(
      "solve_triangle_distributed",
      [](InputColumns<T> A, const LayoutTuple& of_A, InputColumns<T> B, const LayoutTuple& of_B,
         bool is_lower, bool is_unit, int op, const Settings& settings) {
        const dense::TriangleForm form{is_lower ? dense::Uplo::lower : dense::Uplo::upper,
                                       is_unit ? dense::Diagonal::unit : dense::Diagonal::general};
        auto part = watched(*settings.watch, [&] {
          return dense::solve_triangle_distributed(form, layout_from(of_A), view(A), layout_from(of_B),
                                                   view(B), static_cast<dense::Transpose>(op),
                                                   settings.options);
        });
        return as_numpy(std::move(part.values));
      },
      nb::arg("A").noconvert(), "of_A"_a, nb::arg("B").noconvert(), "of_B"_a, "is_lower"_a, "is_unit"_a,
      "op"_a, "settings"_a);
}

/// Bind the product, which returns this process's part of C = A B, flat and column after column.
template <class T>
void bind_multiply(nb::module_& module) {
  module.def(
      "multiply_distributed",
      [](InputColumns<T> A, const LayoutTuple& of_A, InputColumns<T> B, const LayoutTuple& of_B,
         const Settings& settings) {
        auto part = watched(*settings.watch, [&] {
          return dense::multiply_distributed(layout_from(of_A), view(A), layout_from(of_B), view(B),
                                             settings.options);
        });
        return as_numpy(std::move(part.values));
      },
      nb::arg("A").noconvert(), "of_A"_a, nb::arg("B").noconvert(), "of_B"_a, "settings"_a);
}

template <class T>
void bind_dense_of(nb::module_& module, const std::string& type) {
  bind_lu<T>(module, type);
  bind_cholesky<T>(module, type);
  bind_qr<T>(module, type);
  bind_multiply<T>(module);
  bind_solve_triangle<T>(module);
}

}  // namespace

void bind_dense(nb::module_& module) {
  for_each_type([&]<class T>(const std::string& type) { bind_dense_of<T>(module, type); });
}

}  // namespace overlapack::python
