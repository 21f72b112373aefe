#include "api/io/text_scanner.hpp"

#include "api/io/refuse.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace overlapack::io {

std::string_view TextScanner::line() {
  token_ = at_;
  const void* newline = std::memchr(at_, '\n', bytes_left());
  const char* stop = newline ? static_cast<const char*>(newline) : end_;
  std::string_view text(at_, static_cast<std::size_t>(stop - at_));
  at_ = newline ? stop + 1 : end_;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

bool TextScanner::next_data_line() {
  while (true) {
    skip_blanks();
    if (at_ == end_) return false;
    if (*at_ == '\n')
      ++at_;
    else if (*at_ == '%')
      line();
    else
      return true;
  }
}

Index TextScanner::integer(const char* what) {
  skip_blanks();
  Index value = 0;
  const bool has_plus = bytes_left() > 1 && at_[0] == '+' && at_[1] != '-';
  const auto [stop, code] = std::from_chars(at_ + has_plus, end_, value);
  if (code != std::errc()) refuse_token(what);
  at_ = stop;
  return value;
}

double TextScanner::real(const char* what) {
  skip_blanks();
  const ParsedNumber number = parse_real(at_, end_, counts_);
  if (number.status == NumberStatus::not_finite)
    refuse(std::string(what) + " is not a finite double; correct or remove the entry");
  if (number.status == NumberStatus::not_a_number) refuse_token(what);
  at_ = number.end;
  return number.value;
}

void TextScanner::end_line() {
  skip_blanks();
  if (at_ == end_) return;
  if (*at_ != '\n') refuse_token("the end of the line");
  ++at_;
}

void TextScanner::refuse(const std::string& reason) const {
  const auto line_number = 1 + std::count(begin_, token_, '\n');
  io::refuse(name_ + ", line " + std::to_string(line_number), reason);
}

void TextScanner::refuse_file(const std::string& reason) const { io::refuse(name_, reason); }

void TextScanner::refuse_token(const char* what) const {
  if (at_ == end_ || *at_ == '\n')
    refuse(std::string("the line ends where ") + what + " should be; the file is cut short or damaged");
  const char* stop = std::find_if(at_, end_, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  std::string token(at_, std::min(stop, at_ + 24));
  std::replace_if(
      token.begin(), token.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  refuse("found \"" + token + "\" where " + what + " should be; correct the line");
}

}  // namespace overlapack::io
