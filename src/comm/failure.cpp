#include "comm/failure.hpp"

#include <new>

namespace overlapack::comm {

Error thrown_error() {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::out_of_memory, "run",
                 "memory ran out on a rank; use fewer ranks on this machine, or one with more memory");
  } catch (const std::exception& e) {
    return Error(ErrorKind::internal, "run", e.what());
  } catch (...) {
    return Error(ErrorKind::internal, "run", "a rank threw something that is not a std::exception");
  }
}

}  // namespace overlapack::comm
