#include "comm/failure.hpp"

#include <new>

namespace overlapack::comm {

namespace {

/// Made while there is memory; a copy takes none.
const Error memory_ran_out(
    ErrorKind::out_of_memory, "run",
    "memory ran out on a rank; use fewer ranks on this machine, or one with more memory");

Error described() {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return memory_ran_out;
  } catch (const std::exception& e) {
    return Error(ErrorKind::internal, "run", e.what());
  } catch (...) {
    return Error(ErrorKind::internal, "run", "a rank threw something that is not a std::exception");
  }
}

}  // namespace

Error thrown_error() noexcept {
  try {
    return described();
  } catch (...) {
    return memory_ran_out;
  }
}

Error copy_of(const Error& error) noexcept {
  try {
    return error;
  } catch (...) {
    return memory_ran_out;
  }
}

}  // namespace overlapack::comm
