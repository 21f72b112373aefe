#pragma once
#include <string>
#include <vector>

namespace overlapack::test {

/// Small valid files of every format that the readers know: where mutations start.
std::vector<std::string> fuzz_seeds();

/// Read the bytes as a matrix and as right-hand sides. Returns how many of the two were accepted; anything but
/// a valid result or an Error of kind BadInput is thrown on.
int read_as_everything(const std::string& bytes);

}  // namespace overlapack::test
