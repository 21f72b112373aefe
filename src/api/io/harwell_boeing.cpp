#include "api/io/harwell_boeing.hpp"

#include "api/io/entry_sink.hpp"
#include "api/io/fortran_format.hpp"
#include "api/io/text_scanner.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <complex>

namespace overlapack::io {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Columns [first, first + width) of a card, shorter or empty where the card ends.
std::string_view columns(std::string_view card, std::size_t first, std::size_t width) {
  return first < card.size() ? card.substr(first, width) : std::string_view{};
}

struct Header {
  std::string title;
  std::string type;  ///< three letters in upper case
  Index rows = 0, cols = 0, entries = 0;
  Index value_cards = 0;
  FortranFormat pointers, indices, values;

  bool is_pattern() const { return type[0] == 'P' || value_cards == 0; }
};

bool is_matrix_type(std::string_view type) {
  const auto is_one_of = [](char c, std::string_view set) {
    return set.find(static_cast<char>(std::toupper(static_cast<unsigned char>(c)))) != std::string_view::npos;
  };
  return type.size() == 3 && is_one_of(type[0], "RCPIQ") && is_one_of(type[1], "SUHZR") &&
         is_one_of(type[2], "AE");
}

/// Read a non-negative integer in a field of a card; a blank field is 0.
Index header_integer(TextScanner& scanner, std::string_view field, const char* what) {
  const std::string_view text = trimmed(field);
  Index value = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || value > Index{1} << 56)
      scanner.refuse(std::string("the header's field for ") + what + " is \"" +
                     std::string(text.substr(0, 20)) + "\", not a count; the header is damaged");
    value = 10 * value + (c - '0');
  }
  return value;
}

FortranFormat header_format(TextScanner& scanner, std::string_view field, bool wants_integers,
                            const char* what) {
  const auto format = parse_fortran_format(trimmed(field));
  if (!format || !(wants_integers ? format->holds_integers() : format->holds_reals()))
    scanner.refuse("the Fortran format \"" + std::string(trimmed(field)) + "\" of the " + what +
                   " is not read; rewrite the file with one like " +
                   (wants_integers ? "(8I10)" : "(3E26.18)"));
  return *format;
}

Header read_header(TextScanner& scanner) {
  Header header;
  header.title = trimmed(scanner.line().substr(0, 72));
  const std::string_view counts = scanner.line();
  header.value_cards = header_integer(scanner, columns(counts, 42, 14), "the number of value lines");
  const bool has_right_hand_sides =
      header_integer(scanner, trimmed(columns(counts, 56, 14)), "right-hand sides") > 0;

  const std::string_view sizes = scanner.line();
  for (unsigned char c : sizes.substr(0, 3)) header.type += static_cast<char>(std::toupper(c));
  header.rows = header_integer(scanner, columns(sizes, 14, 14), "the number of rows");
  header.cols = header_integer(scanner, columns(sizes, 28, 14), "the number of columns");
  header.entries = header_integer(scanner, columns(sizes, 42, 14), "the number of entries");
  if (header.type[2] == 'E')
    scanner.refuse("type " + header.type +
                   " stores unassembled elements, which is not read; assemble the matrix "
                   "and write it as " +
                   header.type.substr(0, 2) + "A");

  if (header.type[0] == 'Q')
    scanner.refuse("type " + header.type + " keeps its values in another file; write them into this one");

  const std::string_view formats = scanner.line();
  header.pointers = header_format(scanner, columns(formats, 0, 16), true, "column pointers");
  header.indices = header_format(scanner, columns(formats, 16, 16), true, "row indices");
  if (!header.is_pattern()) {
    // Integer matrices may be written with I.
    const std::string_view field = columns(formats, 32, 20);
    const auto format = parse_fortran_format(trimmed(field));
    header.values =
        format && header.type[0] == 'I' ? *format : header_format(scanner, field, false, "values");
  }
  if (has_right_hand_sides) scanner.line();
  return header;
}

void check_sizes(TextScanner& scanner, const Header& header) {
  if (header.type[1] != 'U' && header.type[1] != 'R' && header.rows != header.cols)
    scanner.refuse_file("a matrix of type " + header.type + " must be square; correct the third line");
  // An entry takes at least one column of a card for its row index.
  if (header.entries > static_cast<Index>(scanner.bytes_left()))
    scanner.refuse_file(
        "the header promises " + std::to_string(header.entries) +
        " entries, more than the file has room for; the file is cut short or the header is wrong");
  if (header.cols > static_cast<Index>(scanner.bytes_left()) ||
      !are_plausible_sizes(header.rows, header.cols, header.entries))
    scanner.refuse_file("a matrix of " + std::to_string(header.rows) + " x " + std::to_string(header.cols) +
                        " with " + std::to_string(header.entries) +
                        " entries does not fit the file; correct the header");
}

/// Rewrite a number, as Fortran reads it, in the notation of C. In a field without a point the last d digits are decimals; in a field without
/// an exponent the number is divided by 10^k (kP).
std::string in_notation_of_c(const std::string& text, const FormatItem& field) {
  if (field.letter == 'I') return text;
  const std::size_t exponent = std::min(text.find_first_of("eEdDqQ"), text.find_first_of("+-", 1));
  const bool has_point = text.substr(0, exponent).find('.') != std::string::npos;
  const Index power = (has_point ? 0 : field.decimals) + (exponent == std::string::npos ? field.scale : 0);
  if (power == 0) return text;
  if (exponent == std::string::npos) return text + "e" + std::to_string(-power);
  std::size_t digits = exponent;
  while (digits < text.size() && !std::isdigit(static_cast<unsigned char>(text[digits])) &&
         text[digits] != '-')
    ++digits;
  Index written = 0;
  const auto [end, code] = std::from_chars(text.data() + digits, text.data() + text.size(), written);
  if (code != std::errc() || end != text.data() + text.size())
    return text;  // too large, or no number: refused by the caller
  const char letter = std::isalpha(static_cast<unsigned char>(text[exponent])) != 0 ? text[exponent] : 'D';
  return text.substr(0, exponent) + letter + std::to_string(written - power);
}

/// Reads the fields of a block of cards, one after the other.
class Fields {
 public:
  Fields(TextScanner& scanner, const FortranFormat& format, const char* what)
      : scanner_(scanner), format_(format), what_(what) {}

  Index integer() {
    const std::string text = next();
    if (text.empty()) refuse("ends before its last field; the file is cut short or its format is wrong");
    Index value = 0;
    for (char c : text.substr(text.front() == '+')) {
      if (c < '0' || c > '9' || value > Index{1} << 56)
        refuse("holds \"" + printable(text) + "\", not a count");
      value = 10 * value + (c - '0');
    }
    return value;
  }

  /// The next field as a real number; a blank field is 0.
  double real() {
    const std::string text = next();
    if (text.empty()) return 0;
    const std::string written = in_notation_of_c(text, *field_);
    const char* const last = written.data() + written.size();
    const ParsedNumber number = parse_real(written.data(), last, scanner_.counts());
    if (number.status == NumberStatus::not_finite)
      refuse("holds \"" + printable(text) + "\", not a finite double; correct or remove the entry");
    if (number.status == NumberStatus::not_a_number || number.end != last)
      refuse("holds \"" + printable(text) + "\", not a number");
    return number.value;
  }

  /// After the last field: skip the lines that the rest of the format passes over.
  void end() {
    while (at_ < format_.items.size() && format_.items[at_].kind != FormatItem::Kind::field)
      if (format_.items[at_++].kind == FormatItem::Kind::record) end_record();
    if (at_ > 0) end_record();
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    scanner_.refuse("a line of the " + std::string(what_) + " " + reason);
  }

 private:
  /// The next field without its blanks, which Fortran ignores inside of a number, too.
  std::string next() {
    while (true) {
      if (at_ == format_.items.size()) {
        end_record();
        at_ = format_.restart;
      }
      const FormatItem& item = format_.items[at_++];
      switch (item.kind) {
        case FormatItem::Kind::record:
          end_record();
          break;
        case FormatItem::Kind::move:
          begin_record();
          column_ = std::max<Index>(0, column_ + item.width);
          break;
        case FormatItem::Kind::column:
          begin_record();
          column_ = item.width;
          break;
        case FormatItem::Kind::field:
          begin_record();
          return take(item);
      }
    }
  }

  std::string take(const FormatItem& field) {
    field_ = &field;
    const auto first = static_cast<std::size_t>(column_);
    if (first >= card_.size() && scanner_.at_end())
      refuse("ends before its last field; the file is cut short or its format is wrong");
    const std::string_view text = trimmed(columns(card_, first, static_cast<std::size_t>(field.width)));
    column_ += field.width;
    std::string whole;
    for (std::size_t k = 0; k < text.size(); ++k) {
      if (text[k] != ' ')
        whole += text[k];
      else if (is_of_mantissa(whole.back()) && is_of_mantissa(text[text.find_first_not_of(' ', k)]))
        refuse("holds \"" + printable(text) + "\", two numbers in one field; its format is wrong");
    }
    return whole;
  }

  void begin_record() {
    if (is_inside_) return;
    if (scanner_.at_end())
      scanner_.refuse_file("ends inside the " + std::string(what_) +
                           "; the file is cut short, copy it again");
    card_ = scanner_.line();
    column_ = 0;
    is_inside_ = true;
  }
  /// End the line. A line of which nothing was read is skipped.
  void end_record() {
    if (!is_inside_) scanner_.line();
    is_inside_ = false;
  }

  static bool is_of_mantissa(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }
  static std::string printable(std::string_view text) {
    std::string clean(text.substr(0, 24));
    std::replace_if(
        clean.begin(), clean.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
    return clean;
  }

  TextScanner& scanner_;
  const FortranFormat& format_;
  const char* what_;
  const FormatItem* field_ = nullptr;  ///< the last one read
  std::size_t at_ = 0;                 ///< the next item of the format
  std::string_view card_;
  Index column_ = 0;        ///< the next one of card_, from 0
  bool is_inside_ = false;  ///< a card was begun and not ended
};

std::vector<Index> read_pointers(TextScanner& scanner, const Header& header) {
  Fields fields(scanner, header.pointers, "column pointers");
  std::vector<Index> start(header.cols + 1);
  for (Index j = 0; j <= header.cols; ++j) {
    start[j] = fields.integer() - 1;
    if (start[j] < (j == 0 ? 0 : start[j - 1]) || start[j] > header.entries || (j == 0 && start[0] != 0))
      fields.refuse("holds pointer " + std::to_string(start[j] + 1) +
                    ", out of order or beyond the number of entries; the file is damaged");
  }
  if (start[header.cols] != header.entries)
    fields.refuse("ends with pointer " + std::to_string(start[header.cols] + 1) +
                  " but the header promises " + std::to_string(header.entries) +
                  " entries; the file is damaged");
  fields.end();
  return start;
}

std::vector<Index> read_rows(TextScanner& scanner, const Header& header) {
  Fields fields(scanner, header.indices, "row indices");
  std::vector<Index> row(header.entries);
  for (Index& i : row) {
    i = fields.integer() - 1;
    if (i < 0 || i >= header.rows)
      fields.refuse("holds row " + std::to_string(i + 1) + ", outside 1 to " + std::to_string(header.rows) +
                    "; correct the file");
  }
  fields.end();
  return row;
}

Symmetry header_symmetry(const Header& header) {
  switch (header.type[1]) {
    case 'S':
      return Symmetry::symmetric;
    case 'H':
      return header.type[0] == 'C' ? Symmetry::hermitian : Symmetry::symmetric;
    case 'Z':
      return Symmetry::skew;
    default:
      return Symmetry::general;
  }
}

template <class T>
MatrixFile read_values(TextScanner& scanner, const Header& header, ReadFacts facts) {
  const std::vector<Index> start = read_pointers(scanner, header);
  const std::vector<Index> row = read_rows(scanner, header);
  Fields fields(scanner, header.values, "values");
  EntrySink<T> sink(header.rows, header.cols, header_symmetry(header), scanner.name());
  sink.reserve(header.entries);
  for (Index j = 0; j < header.cols; ++j)
    for (Index p = start[j]; p < start[j + 1]; ++p) {
      T value(1);
      if (!header.is_pattern()) value = static_cast<Real<T>>(fields.real());
      if constexpr (ScalarTraits<T>::is_complex) value.imag(fields.real());
      if (const char* reason = sink.add(row[p], j, value))
        scanner.refuse_file("entry (" + std::to_string(row[p] + 1) + ", " + std::to_string(j + 1) +
                            "): " + reason);
    }
  SparseMatrix<T> matrix = sink.finish(facts, scanner.counts());
  return to_matrix_file(std::move(matrix), std::move(facts));
}

}  // namespace

bool is_harwell_boeing(std::string_view text) {
  const std::string name;
  TextScanner scanner(text, name);
  scanner.line();
  scanner.line();
  if (!is_matrix_type(scanner.line().substr(0, 3))) return false;
  return trimmed(scanner.line()).substr(0, 1) == "(";
}

MatrixFile read_harwell_boeing(std::string_view text, const std::string& name) {
  TextScanner scanner(text, name);
  const Header header = read_header(scanner);
  check_sizes(scanner, header);
  ReadFacts facts;
  facts.format = "harwell-boeing";
  facts.field = header.type;
  facts.title = header.title;
  const bool is_complex = header.type[0] == 'C' && !header.is_pattern();
  return is_complex ? read_values<std::complex<double>>(scanner, header, std::move(facts))
                    : read_values<double>(scanner, header, std::move(facts));
}

}  // namespace overlapack::io
