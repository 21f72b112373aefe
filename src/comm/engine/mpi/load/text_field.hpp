#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

namespace overlapack::comm::mpi {

/// A text in a message, cut where it is too long, with a zero behind it.
template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
  const std::size_t length = std::min(from.size(), n - 1);
  std::copy_n(from.begin(), length, to);
  to[length] = 0;
}

}  // namespace overlapack::comm::mpi
