#pragma once
/// The name that a mistyped one probably meant.
#include "overlapack/export.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// The word that `typed` most likely meant: the only word that begins with it, or one that differs by a letter or two. Empty if
/// there is none.
OVERLAPACK_API std::string nearest(std::string_view typed, const std::vector<std::string>& words);

/// " (did you mean solve?)" with it; empty where none is near.
OVERLAPACK_API std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words);

}  // namespace overlapack
