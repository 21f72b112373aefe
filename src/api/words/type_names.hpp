#pragma once
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

namespace overlapack::api {

std::string_view name(ScalarType type);    ///< "float32", ...
std::string_view name(Symmetry symmetry);  ///< "general", ...

}  // namespace overlapack::api
