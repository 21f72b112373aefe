#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>

namespace overlapack {

/// What printf takes in the place of x: NaN without the sign that processors give it, which printf would print.
template <class X>
X printable(X x) {
  if constexpr (std::is_floating_point_v<X>)
    return std::isnan(x) ? std::fabs(x) : x;
  else
    return x;
}

/// The text that printf makes of a format and its arguments; NaN is "nan".
template <class... A>
std::string printed(const char* format, A... a) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, printable(a)...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, printable(a)...);
  return text;
}

}  // namespace overlapack
