#include "fuzz/mutate.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace overlapack::test {
namespace {

/// Pieces that break readers more often than random bytes do.
constexpr std::string_view pieces[] = {"-1",
                                       "0",
                                       "99999999999999999999",
                                       "9223372036854775807",
                                       "2147483648",
                                       "1e400",
                                       "nan",
                                       "inf",
                                       "1D5",
                                       " ",
                                       "\n",
                                       "%",
                                       "1 1 1\n",
                                       "(",
                                       ")",
                                       "'",
                                       ",",
                                       "E",
                                       "+",
                                       "symmetric",
                                       "1e-400",
                                       "0x10",
                                       ":",
                                       "{",
                                       "[",
                                       "]",
                                       "null",
                                       "auto",
                                       "array",
                                       "complex",
                                       "PK\5\6",
                                       "PK\1\2",
                                       std::string_view("\0\0\0\0", 4),
                                       std::string_view("\xff\xff\xff\xff", 4)};

}  // namespace

void mutate(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  const std::size_t at = random.below(bytes.size());
  const std::size_t length = 1 + random.below(std::min<std::size_t>(16, bytes.size() - at));
  switch (random.below(6)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4:
      bytes.insert(at, pieces[random.below(std::size(pieces))]);
      break;
    case 5:
      bytes.replace(at, length, pieces[random.below(std::size(pieces))]);
      break;
  }
}

}  // namespace overlapack::test
