#pragma once
#include "arrays.hpp"
#include "files.hpp"
#include "overlapack/factors.hpp"
#include "settings.hpp"
#include "warning.hpp"
#include "watched_type.hpp"

#include <memory>
#include <string>
#include <utility>

namespace overlapack::python {

/// The common base of Python's classes of factors and iterations: an object of the library, and the watch that it calls while it works.
/// Factorization: a class derived from overlapack::Factors<T>
template <class T, class Factorization>
class WatchedFactors {
 public:
  template <class Make>
  WatchedFactors(const Settings& settings, Make&& make)
      : watch_(settings.watch), factors_(watched(*watch_, make)) {}

  /// Solve for B, n x k by columns. Returns X, flat and column after column, with its warning. op: 0 A, 1 A^T, 2 A^H.
  nanobind::tuple solve(InputColumns<T> b, int op) {
    const auto nrhs = static_cast<Index>(b.shape(1));
    auto solution = watched(*watch_, [&] {
      return factors_.solve({b.data(), b.size()}, nrhs, static_cast<Transpose>(op));
    });
    return with_warning(solution.report, as_numpy(std::move(solution.x)));
  }
  nanobind::tuple determinant() {
    const auto det = watched(*watch_, [&] { return factors_.determinant(); });
    return nanobind::make_tuple(det.mantissa, det.exponent);
  }
  double reciprocal_condition() {
    return watched(*watch_, [&] { return factors_.reciprocal_condition(); });
  }

  void write_timeline(const std::string& path, const std::string& title) const {
    const GilReleased released;
    factors_.between_calls(
        [&] { python::write_timeline(factors_.timeline(), factors_.report(), path, title); });
  }
  std::string timeline(const std::string& form, const std::string& title) const {
    const GilReleased released;
    std::string text;
    factors_.between_calls(
        [&] { text = timeline_text(factors_.timeline(), factors_.report(), form, title); });
    return text;
  }
  std::string report() const { return to_json(copy_report(), -1); }
  std::string unused_options() const { return copy_report().unused_options; }
  std::string kernel_advice() const { return overlapack::kernel_advice(copy_report()); }
  ProgressWatch& watch() const { return *watch_; }

 protected:
  Report copy_report() const {
    return unlocked([&] { return factors_.copy_report(); });
  }

  std::shared_ptr<ProgressWatch> watch_;
  Factorization factors_;
};

/// Bind the functions that all of these classes have, except solve.
template <class Kind>
nanobind::class_<Kind> bind_watched(nanobind::module_& module, const std::string& name) {
  using namespace nanobind::literals;
  return nanobind::class_<Kind>(module, name.c_str(), nanobind::type_slots(watched_slots<Kind>))
      .def("write_timeline", &Kind::write_timeline, "path"_a, "title"_a)
      .def("timeline", &Kind::timeline, "form"_a, "title"_a)
      .def("unused_options", &Kind::unused_options)
      .def("kernel_advice", &Kind::kernel_advice)
      .def("report", &Kind::report);
}

/// Bind the functions of bind_watched, and those that all direct methods have.
template <class Kind>
nanobind::class_<Kind> bind_direct(nanobind::module_& module, const std::string& name) {
  using namespace nanobind::literals;
  return bind_watched<Kind>(module, name)
      .def("solve", &Kind::solve, nanobind::arg("b").noconvert(), "op"_a)
      .def("determinant", &Kind::determinant)
      .def("reciprocal_condition", &Kind::reciprocal_condition);
}

}  // namespace overlapack::python
