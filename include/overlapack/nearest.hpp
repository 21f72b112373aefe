#pragma once
/// Finds the name that a mistyped name probably meant, for error messages.
#include "overlapack/export.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// The word that `typed` most likely meant: the only word that begins with it, or one that differs by a letter or two. Empty if
/// there is none.
OVERLAPACK_API std::string nearest(std::string_view typed, const std::vector<std::string>& words);

/// The end of an error message: " (did you mean solve?)" with nearest(typed, words), or empty if no word is near.
OVERLAPACK_API std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words);

}  // namespace overlapack
