#include "overlapack/error.hpp"

#include <new>

namespace overlapack {
namespace {

/// Made at start-up, while there still is memory; copying an Error allocates none.
const Error& memory_ran_out =
    *new Error(Status::out_of_memory,
               "memory ran out; use fewer ranks on this machine, one with more memory, or more machines");

Error described(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return memory_ran_out;
  } catch (const std::length_error&) {
    return memory_ran_out;
  } catch (const std::exception& error) {
    return Error(Status::internal, error.what());
  } catch (...) {
    return Error(
        Status::internal,
        "a defect of overlapack, or an exception of the caller's own function, which is no std::exception");
  }
}

}  // namespace

Error error_of(const std::exception_ptr& thrown) noexcept {
  try {
    return described(thrown);
  } catch (...) {
    return memory_ran_out;
  }
}

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

}  // namespace overlapack
