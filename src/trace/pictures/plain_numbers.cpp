#include "trace/pictures/plain_numbers.hpp"

namespace overlapack::trace {
namespace {

/// The C locale; null if there is no memory for it, which uselocale() takes as "no change".
locale_t plain_locale() {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return plain;
}

}  // namespace

PlainNumbers::PlainNumbers(std::ostream& out)
    : out_(out), of_stream_(out.imbue(std::locale::classic())), of_thread_(uselocale(plain_locale())) {}

PlainNumbers::~PlainNumbers() {
  uselocale(of_thread_);
  out_.imbue(of_stream_);
}

}  // namespace overlapack::trace
