#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::io {

/// What was unusual about the numbers that parse_real read.
struct NumberCounts {
  Index subnormals = 0;
  Index underflows = 0;
  Index fortran_exponents = 0;
};

enum class NumberStatus : std::uint8_t { ok, not_a_number, not_finite };

/// A number at the start of some text and where it ends.
struct ParsedNumber {
  double value = 0;
  const char* end = nullptr;  ///< one past the number; where parsing stopped if it is none
  NumberStatus status = NumberStatus::not_a_number;
};

/// Read the real number at the start of [first, last), no blanks before it. Besides C's notations these of
/// Fortran: 1.5D+3, 1.5Q3, 1.5+300. Too small numbers become subnormal or 0 and are counted; too large ones,
/// inf and nan are not_finite.
ParsedNumber parse_real(const char* first, const char* last, NumberCounts& counts);

}  // namespace overlapack::io
