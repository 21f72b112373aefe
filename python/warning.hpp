#pragma once
#include "overlapack/report.hpp"

#include <string>

namespace overlapack::python {

/// The sentence of an answer that is not what was asked for; empty where there is nothing to warn of. Much cheaper than the
/// whole report.
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

}  // namespace overlapack::python
