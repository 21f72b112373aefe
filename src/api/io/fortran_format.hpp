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
  Index decimals = 0;  ///< digits after the point where a field writes none
  Index scale = 0;     ///< kP: a field without exponent is divided by 10^k
};

/// A Fortran format of numbers with its repetitions written out, such as (8I10), (1P,5E16.8), (8(I9,1X)) or (2X,3(1P,E24.16)).
struct FortranFormat {
  std::vector<FormatItem> items;
  std::size_t restart =
      0;  ///< item at which reading goes on, on a new line, after the last one: the last group, or the first item

  /// Are all fields integers (I or G), or real (not I)?
  bool holds_integers() const;
  bool holds_reals() const;
};

/// Parse a format; nothing if it is none, reads other things than numbers, or is unreasonably long.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

}  // namespace overlapack::io
