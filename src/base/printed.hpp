#pragma once

#include <cstdio>
#include <string>

namespace overlapack {

/// The text that printf makes of a format and its arguments.
template <class... A>
std::string printed(const char* format, A... a) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, a...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, a...);
  return text;
}

}  // namespace overlapack
