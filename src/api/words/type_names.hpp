#pragma once
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

namespace overlapack::api {

std::string_view name(ScalarType type);  ///< "float32", ...
bool is_single(ScalarType type);         ///< float32 or complex64
bool is_complex(ScalarType type);        ///< complex64 or complex128
/// Of an addition or multiplication, on the average: operations are counted as real ones.
constexpr double real_operations(bool is_complex) { return is_complex ? 4 : 1; }
std::string_view name(Symmetry symmetry);  ///< "general", ...

}  // namespace overlapack::api
