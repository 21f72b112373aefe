#pragma once
#include "overlapack/report.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string>
#include <utility>

namespace overlapack::python {

/// The message of a doubtful answer; empty if there is nothing to warn of. It is much cheaper than the whole report.
inline std::string warning_of(const Report& report) {
  switch (report.status) {
    case Status::inaccurate:
    case Status::not_converged:
    case Status::singular:
    case Status::ill_conditioned:
      return report.message;
    default:
      return {};
  }
}

/// The result of a solve for Python: values, warning and status. The latter come from the solve's own report, since another thread may have
/// changed the report of the factors.
template <class... Values>
nanobind::tuple with_warning(const Report& report, Values&&... x) {
  return nanobind::make_tuple(std::forward<Values>(x)..., warning_of(report), to_string(report.status));
}

}  // namespace overlapack::python
