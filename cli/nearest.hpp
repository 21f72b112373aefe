#pragma once
#include <string>
#include <vector>

namespace overlapack::cli {

/// " (did you mean solve?)", with the one of the words that most likely was meant by `typed`; "" where none is near.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& words);

}  // namespace overlapack::cli
