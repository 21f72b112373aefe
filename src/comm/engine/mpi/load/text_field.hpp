#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

namespace overlapack::comm::mpi {

/// Copy a text into a field of a message: truncated if too long, zero-terminated.
template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
  const std::size_t length = std::min(from.size(), n - 1);
  std::copy_n(from.begin(), length, to);
  to[length] = 0;
}

}  // namespace overlapack::comm::mpi
