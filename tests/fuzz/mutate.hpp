#pragma once
#include "base/random.hpp"

#include <string>

namespace overlapack::test {

/// One random change: flip a bit, drop, double or cut a part, or put in a piece that breaks readers more often than random bytes do.
void mutate(std::string& bytes, Random& random);

}  // namespace overlapack::test
