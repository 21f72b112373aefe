#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::io {

/// Counts of unusual numbers that parse_real read.
struct NumberCounts {
  Index subnormals = 0;
  Index underflows = 0;
  Index fortran_exponents = 0;
};

enum class NumberStatus : std::uint8_t { ok, not_a_number, not_finite };

/// A number at the start of a text, and where it ends.
struct ParsedNumber {
  double value = 0;
  const char* end = nullptr;  ///< one past the number; where parsing stopped if it is none
  NumberStatus status = NumberStatus::not_a_number;
};

/// Read the real number at the start of [first, last), which must not begin with a blank. It accepts C's notations and those of Fortran:
/// 1.5D+3, 1.5Q3, 1.5+300. Numbers that are too small become subnormal or 0 and are counted. Numbers that are too large, inf and nan are
/// not_finite.
ParsedNumber parse_real(const char* first, const char* last, NumberCounts& counts);

}  // namespace overlapack::io
