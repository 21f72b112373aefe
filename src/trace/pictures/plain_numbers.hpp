#pragma once

#include <locale.h>
#include <locale>
#include <ostream>

namespace overlapack::trace {

/// While it lives, numbers are as files need them, with a point and without groups, whatever the locale of the program: those of
/// printf on this thread, and those written to `out`.
class PlainNumbers {
 public:
  explicit PlainNumbers(std::ostream& out);
  ~PlainNumbers();
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;

 private:
  std::ostream& out_;
  std::locale of_stream_;
  locale_t of_thread_;
};

}  // namespace overlapack::trace
