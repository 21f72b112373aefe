#include "overlapack/error.hpp"

namespace overlapack {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::bad_plan:
      return "bad_plan";
    case ErrorKind::singular:
      return "singular";
    case ErrorKind::not_converged:
      return "not_converged";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::comm_failure:
      return "comm_failure";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace overlapack
