#include "overlapack/report.hpp"

namespace overlapack {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::inaccurate:
      return "inaccurate";
    case Status::singular:
      return "singular";
    case Status::not_converged:
      return "not_converged";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::bad_input:
      return "bad_input";
    case Status::bad_plan:
      return "bad_plan";
    case Status::comm_failure:
      return "comm_failure";
    case Status::cancelled:
      return "cancelled";
    case Status::internal:
      return "internal";
    case Status::ill_conditioned:
      return "ill_conditioned";
  }
  return "internal";
}

Status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return Status::bad_input;
    case ErrorKind::bad_plan:
      return Status::bad_plan;
    case ErrorKind::singular:
      return Status::singular;
    case ErrorKind::not_converged:
      return Status::not_converged;
    case ErrorKind::out_of_memory:
      return Status::out_of_memory;
    case ErrorKind::comm_failure:
      return Status::comm_failure;
    case ErrorKind::cancelled:
      return Status::cancelled;
    case ErrorKind::internal:
      return Status::internal;
  }
  return Status::internal;
}

}  // namespace overlapack
