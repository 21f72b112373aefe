#include "api/io/number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace overlapack::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the decimal number in [first, last), which is outside double's range, is too small rather than too large.
/// Its magnitude is about 10^(exponent + position of the first nonzero digit).
bool is_tiny(const char* first, const char* last) {
  Index position = 0;
  bool after_point = false, seen_nonzero = false;
  const char* p = first;
  for (; p < last && (is_digit(*p) || *p == '.' || *p == '-'); ++p) {
    if (*p == '.') after_point = true;
    if (!is_digit(*p)) continue;
    if (!seen_nonzero && *p == '0') {
      position -= after_point;
      continue;
    }
    seen_nonzero = true;
    position += !after_point;
  }
  if (p == last) return position < 0;
  const bool is_negative = p + 1 < last && p[1] == '-';
  Index exponent = 0;
  for (++p; p < last; ++p)
    if (is_digit(*p) && exponent < 1'000'000'000) exponent = 10 * exponent + (*p - '0');
  return position + (is_negative ? -exponent : exponent) < 0;
}

ParsedNumber parse_c_notation(const char* first, const char* last, NumberCounts& counts) {
  ParsedNumber number;
  const auto [end, code] = std::from_chars(first, last, number.value);
  number.end = end;
  if (code == std::errc::invalid_argument) return number;
  number.status = NumberStatus::ok;
  if (code == std::errc::result_out_of_range) {
    number.value = 0;
    if (is_tiny(first, end))
      ++counts.underflows;
    else
      number.status = NumberStatus::not_finite;
  } else if (!std::isfinite(number.value)) {
    number.status = NumberStatus::not_finite;
  } else if (number.value != 0 && std::fabs(number.value) < std::numeric_limits<double>::min()) {
    ++counts.subnormals;
  }
  return number;
}

bool is_fortran_letter(char c) { return c == 'd' || c == 'D' || c == 'q' || c == 'Q'; }
bool is_sign(char c) { return c == '+' || c == '-'; }

/// Whether [first, p) is a mantissa without exponent, followed by D, Q or a sign, and by digits.
bool has_fortran_exponent(const char* first, const char* p, const char* last) {
  if (p == last || !(is_fortran_letter(*p) || is_sign(*p))) return false;
  for (const char* c = first; c < p; ++c)
    if (*c == 'e' || *c == 'E') return false;
  if (is_fortran_letter(*p)) ++p;
  if (p < last && is_sign(*p)) ++p;
  return p < last && is_digit(*p);
}

/// Parse a number in Fortran's notation whose mantissa is [first, exponent), after rewriting it in C's notation.
ParsedNumber parse_fortran_notation(const char* first, const char* exponent, const char* last,
                                    NumberCounts& counts) {
  std::string text(first, exponent);
  text += 'e';
  const char* p = exponent;
  if (is_fortran_letter(*p)) ++p;
  if (is_sign(*p)) text += *p++;
  while (p < last && is_digit(*p)) text += *p++;
  ParsedNumber number = parse_c_notation(text.data(), text.data() + text.size(), counts);
  number.end = p;
  ++counts.fortran_exponents;
  return number;
}

}  // namespace

ParsedNumber parse_real(const char* first, const char* last, NumberCounts& counts) {
  if (last - first > 1 && *first == '+' && first[1] != '-') ++first;
  const NumberCounts before = counts;
  const ParsedNumber number = parse_c_notation(first, last, counts);
  if (number.status == NumberStatus::not_a_number || !has_fortran_exponent(first, number.end, last))
    return number;
  counts = before;  // without the counts of the mantissa alone
  return parse_fortran_notation(first, number.end, last, counts);
}

}  // namespace overlapack::io
