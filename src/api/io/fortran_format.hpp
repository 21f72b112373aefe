#pragma once
#include "overlapack/scalar.hpp"

#include <optional>
#include <string_view>

namespace overlapack::io {

/// One repeated edit descriptor of a Fortran format, such as (8I10), (1P,5E16.8) or (4D20.13).
struct FortranFormat {
  char letter = 'I';   ///< I, E, D, F or G
  Index per_line = 1;  ///< fields a line
  Index width = 0;
  Index decimals = 0;  ///< digits after the point where a field writes none
  Index scale = 0;     ///< kP: a field without exponent stands for 10^k times its value
};

/// Parse a format; nothing if it is not of that shape.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

}  // namespace overlapack::io
