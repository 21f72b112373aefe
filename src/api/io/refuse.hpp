#pragma once
#include "overlapack/error.hpp"

#include <string>

namespace overlapack::io {

/// Throw BadInput about the file of this name.
[[noreturn]] inline void refuse(const std::string& name, const std::string& reason) {
  throw Error(Status::bad_input, name + ": " + reason);
}

}  // namespace overlapack::io
