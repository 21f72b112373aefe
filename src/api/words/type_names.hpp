#pragma once
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

namespace overlapack::api {

std::string_view name(ScalarType type);  ///< "float32", ...
bool is_single(ScalarType type);         ///< float32 or complex64
bool is_complex(ScalarType type);        ///< complex64 or complex128
/// Real operations of one addition or multiplication, on average over both: a complex multiply-add is 8 of them, a real one 2.
constexpr double real_operations(bool is_complex) { return is_complex ? 4 : 1; }
std::string_view name(Symmetry symmetry);  ///< "general", ...

}  // namespace overlapack::api
