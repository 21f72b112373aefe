#include "api/io/fortran_format.hpp"

#include <cctype>
#include <string>

namespace overlapack::io {
namespace {

/// The characters of a format without blanks, in upper case, read one by one.
class FormatReader {
 public:
  explicit FormatReader(std::string_view text) {
    for (unsigned char c : text)
      if (!std::isspace(c)) text_ += static_cast<char>(std::toupper(c));
  }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool has_digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  /// A number of at most four digits, or `otherwise` if none stands here.
  Index number(Index otherwise) {
    if (!has_digit()) return otherwise;
    Index value = 0;
    for (int digits = 0; has_digit() && digits < 4; ++digits) value = 10 * value + (text_[at_++] - '0');
    return value;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// [kP[,]] with the scale stored. Returns the repeat count read on the way, 1 if there is none.
Index read_scale_and_count(FormatReader& reader, FortranFormat& format) {
  const bool is_negative = reader.accept('-');
  const Index number = reader.number(1);
  if (!reader.accept('P')) return is_negative ? 0 : number;
  format.scale = is_negative ? -number : number;
  reader.accept(',');
  return reader.number(1);
}

}  // namespace

std::optional<FortranFormat> parse_fortran_format(std::string_view text) {
  FormatReader reader(text);
  FortranFormat format;
  if (!reader.accept('(')) return std::nullopt;
  format.per_line = read_scale_and_count(reader, format);
  format.letter = reader.peek();
  if (format.letter != 'I' && (format.letter < 'D' || format.letter > 'G')) return std::nullopt;
  reader.accept(format.letter);
  format.width = reader.number(0);
  if (reader.accept('.')) format.decimals = reader.number(0);
  if (reader.accept('E')) reader.number(0);
  if (!reader.accept(')') || !reader.at_end() || format.per_line < 1 || format.width < 1) return std::nullopt;
  return format;
}

}  // namespace overlapack::io
