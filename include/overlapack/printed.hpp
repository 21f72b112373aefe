#pragma once
/// Numbers in sentences and tables for people.
#include "overlapack/export.hpp"
#include "overlapack/scalar.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>

namespace overlapack {

/// x as an argument for printf. A NaN loses its sign, so that printf prints "nan" and never "-nan".
template <class X>
X printable(X x) {
  if constexpr (std::is_floating_point_v<X>)
    return std::isnan(x) ? std::fabs(x) : x;
  else
    return x;
}

/// The text that printf would print for a format and its arguments. A NaN is always "nan".
template <class... A>
std::string printed(const char* format, A... a) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, printable(a)...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, printable(a)...);
  return text;
}

/// The value with three digits and an SI prefix that keeps the number between 1 and 1000: "12.3 Mflop" for (1.23e7, "flop").
OVERLAPACK_API std::string scaled_text(double value, const char* unit);

OVERLAPACK_API std::string bytes_text(double bytes);  ///< "1.23 MB", "80 B"
OVERLAPACK_API std::string seconds_text(
    double s);  ///< "1.23 us", "3.4 ms", "5.67 s", "2 min 5 s", "3 h 20 min"
OVERLAPACK_API std::string percent_text(double share);  ///< "41 %"
OVERLAPACK_API std::string whole_text(Index value);     ///< "1 234 567"

}  // namespace overlapack
