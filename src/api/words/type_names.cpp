#include "api/words/type_names.hpp"

#include <array>

namespace overlapack::api {

bool is_single(ScalarType type) { return type == ScalarType::float32 || type == ScalarType::complex64; }
bool is_complex(ScalarType type) { return type == ScalarType::complex64 || type == ScalarType::complex128; }

std::string_view name(ScalarType type) {
  constexpr std::array<std::string_view, 4> names{"float32", "float64", "complex64", "complex128"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view name(Symmetry symmetry) {
  constexpr std::array<std::string_view, 4> names{"general", "symmetric", "skew", "hermitian"};
  return names[static_cast<std::size_t>(symmetry)];
}

}  // namespace overlapack::api
