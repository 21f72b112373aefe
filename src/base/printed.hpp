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

/// "1.25 GiB", "80.00 KiB"
inline std::string memory_text(double bytes) {
  if (bytes < 0x1p20) return printed("%.2f KiB", bytes / 0x1p10);
  return bytes < 0x1p30 ? printed("%.2f MiB", bytes / 0x1p20) : printed("%.2f GiB", bytes / 0x1p30);
}

}  // namespace overlapack
