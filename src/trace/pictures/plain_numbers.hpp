#pragma once

#include <locale.h>
#include <locale>
#include <ostream>

namespace overlapack::trace {

/// Sets the C locale for its lifetime, both for printf on this thread and for numbers written to `out`. So files get numbers with
/// a decimal point and without digit groups, whatever the program's locale.
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
