#include "api/io/fortran_format.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace overlapack::io {
namespace {

using enum FormatItem::Kind;

constexpr std::size_t most_items = 10000;

/// Reads ( item, ... ) by the grammar of Fortran 2018, 13.3 to 13.8, except for descriptors of text; blanks are ignored.
class FormatReader {
 public:
  explicit FormatReader(std::string_view text) {
    for (unsigned char c : text)
      if (!std::isspace(c)) text_ += static_cast<char>(std::toupper(c));
  }

  std::optional<FortranFormat> format() {
    if (!skip_if_next('(') || !parse_list(0) || at_ != text_.size()) return std::nullopt;
    const auto is_field = [](const FormatItem& item) { return item.kind == field; };
    const auto first = format_.items.begin() + static_cast<std::ptrdiff_t>(format_.restart);
    if (std::none_of(first, format_.items.end(), is_field)) return std::nullopt;  // reading would not end
    return std::move(format_);
  }

 private:
  char peek() const { return at_ == text_.size() ? '\0' : text_[at_]; }
  bool skip_if_next(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool skip_if_next(std::string_view word) {
    if (!std::string_view(text_).substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool has_digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  /// Parse a number of at most four digits; no value if there is no digit.
  std::optional<Index> parse_number() {
    if (!has_digit()) return std::nullopt;
    Index value = 0;
    for (int digits = 0; has_digit() && digits < 4; ++digits) value = 10 * value + (text_[at_++] - '0');
    return value;
  }

  /// Parse items up to the closing parenthesis. Commas between items may be left out.
  bool parse_list(int depth) {
    while (!skip_if_next(')')) {
      if (!parse_item(depth) || format_.items.size() > most_items) return false;
      skip_if_next(',');
    }
    return true;
  }

  bool parse_item(int depth) {
    const bool is_negative = skip_if_next('-');
    if (!is_negative) skip_if_next('+');
    const std::optional<Index> count = parse_number();
    if (count && skip_if_next('P')) {
      scale_ = is_negative ? -*count : *count;
      return true;
    }
    if (is_negative) return false;
    if (count == 0) return false;
    if (skip_if_next('(')) return parse_group(count.value_or(1), depth);
    if (skip_if_next('X')) return add({.kind = move, .width = count.value_or(1)});
    if (skip_if_next('/')) return append_repeated(count.value_or(1), {.kind = record});
    if (!count && skip_if_next('T')) return parse_tab();
    if (!count && (skip_if_next(':') || skip_if_next("SP") || skip_if_next("SS") || skip_if_next("BN") ||
                   skip_if_next('S')))
      return true;
    return parse_numeric_field(count.value_or(1));
  }

  bool parse_group(Index count, int depth) {
    const std::size_t first = format_.items.size();
    if (depth == 0) format_.restart = first;
    if (!parse_list(depth + 1)) return false;
    const std::vector<FormatItem> once(format_.items.begin() + static_cast<std::ptrdiff_t>(first),
                                       format_.items.end());
    if (first + once.size() * static_cast<std::size_t>(count) > most_items) return false;
    for (Index k = 1; k < count; ++k) format_.items.insert(format_.items.end(), once.begin(), once.end());
    return true;
  }

  bool parse_tab() {
    const bool is_left = skip_if_next('L'), is_right = !is_left && skip_if_next('R');
    const std::optional<Index> columns = parse_number();
    if (!columns || columns < 1) return false;
    if (is_left || is_right) return add({.kind = move, .width = is_left ? -*columns : *columns});
    return add({.kind = column, .width = *columns - 1});
  }

  /// Parse a numeric field: rIw[.m], rFw.d, rEw.d[Ee] and similar ones.
  bool parse_numeric_field(Index count) {
    FormatItem one{.letter = peek(), .scale = scale_};
    if (one.letter != 'I' && (one.letter < 'D' || one.letter > 'G')) return false;
    ++at_;
    if (one.letter == 'E' && !skip_if_next('N')) skip_if_next('S');
    one.width = parse_number().value_or(0);
    if (skip_if_next('.')) {
      const std::optional<Index> decimals = parse_number();
      if (!decimals) return false;
      if (one.letter != 'I') one.decimals = *decimals;
      if (skip_if_next('E') && !parse_number()) return false;
    }
    return one.width > 0 && append_repeated(count, one);
  }

  bool add(const FormatItem& item) { return append_repeated(1, item); }
  bool append_repeated(Index count, const FormatItem& item) {
    format_.items.insert(format_.items.end(), static_cast<std::size_t>(count), item);
    return true;
  }

  std::string text_;
  std::size_t at_ = 0;
  Index scale_ = 0;  ///< of the fields that follow
  FortranFormat format_;
};

}  // namespace

bool FortranFormat::holds_integers() const {
  return std::ranges::all_of(items, [](const FormatItem& item) {
    return item.kind != FormatItem::Kind::field || item.letter == 'I' || item.letter == 'G';
  });
}

bool FortranFormat::holds_reals() const {
  return std::ranges::all_of(items, [](const FormatItem& item) {
    return item.kind != FormatItem::Kind::field || item.letter != 'I';
  });
}

std::optional<FortranFormat> parse_fortran_format(std::string_view text) {
  return FormatReader(text).format();
}

}  // namespace overlapack::io
