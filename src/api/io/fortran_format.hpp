#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace overlapack::io {

/// One edit descriptor of a Fortran format, for input.
struct FormatItem {
  enum class Kind : std::uint8_t {
    field,   ///< I, F, E, EN, ES, D or G
    move,    ///< nX, TRn, TLn: by `width` columns to the right
    column,  ///< Tn: to column `width`, from 0
    record,  ///< slash: to the next line
  };
  Kind kind = Kind::field;
  char letter = 'I';  ///< of a field: I, F, E, D or G
  Index width = 0;
  Index decimals = 0;  ///< digits after the implied point, if a field has no point
  Index scale = 0;     ///< kP: a field without exponent is divided by 10^k
};

/// A Fortran format of numbers, such as (8I10), (1P,5E16.8), (8(I9,1X)) or (2X,3(1P,E24.16)), with its repetitions expanded.
struct FortranFormat {
  std::vector<FormatItem> items;
  /// item at which reading goes on, on a new line, after the last one: the last group, or the first item
  std::size_t restart = 0;

  /// Whether all fields can hold integers (I or G), or can hold real numbers (not I).
  bool holds_integers() const;
  bool holds_reals() const;
};

/// Parse a format. No value if the text is no format, if it reads anything other than numbers, or if it is unreasonably long.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

}  // namespace overlapack::io
