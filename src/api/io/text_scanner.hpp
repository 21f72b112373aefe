#pragma once
#include "api/io/number.hpp"
#include "overlapack/error.hpp"

#include <string>
#include <string_view>

namespace overlapack::io {

/// Reads the text of a matrix file token by token. Every failure names the file and the line.
class TextScanner {
 public:
  TextScanner(std::string_view text, const std::string& name)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), name_(name) {}

  bool at_end() const { return at_ == end_; }
  const std::string& name() const { return name_; }
  char peek() const { return *at_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  NumberCounts& counts() { return counts_; }

  /// Return the rest of this line without its end, and move to the next line.
  std::string_view line();
  /// Move to the next line that is neither blank nor a comment (%). Returns false at the end of the text.
  bool next_data_line();
  /// Skip blanks and read an integer. what: its name for messages.
  Index integer(const char* what);
  /// Skip blanks and read a finite real number. what: its name for messages.
  double real(const char* what);
  /// Check that the rest of this line is blank, and move to the next line.
  void end_line();

  /// Throw BadInput "name, line k: reason" for the line of the last token.
  [[noreturn]] void refuse(const std::string& reason) const;
  /// Throw BadInput for the file as a whole.
  [[noreturn]] void refuse_file(const std::string& reason) const;

 private:
  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    token_ = at_;
  }
  [[noreturn]] void refuse_token(const char* what) const;

  const char* begin_;
  const char* at_;
  const char* token_ = at_;  ///< where the last line or token began
  const char* end_;
  std::string name_;
  NumberCounts counts_;
};

}  // namespace overlapack::io
