#include "any_matrix.hpp"

#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"
#include "text.hpp"

namespace overlapack::cli {
namespace {

const std::vector<std::string> type_names{"float32", "float64", "complex64", "complex128"};

}  // namespace

std::optional<ScalarType> type_from(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "float32" || name == "s") return ScalarType::float32;
  if (name == "float64" || name == "d") return ScalarType::float64;
  if (name == "complex64" || name == "c") return ScalarType::complex64;
  if (name == "complex128" || name == "z") return ScalarType::complex128;
  throw Error(Status::bad_plan, "--type is \"" + name + "\"" + did_you_mean(name, type_names) +
                                    "; give one of " + joined(type_names));
}

Argument type_argument(const std::string& help, std::string& value) {
  Argument argument = text_argument("--type", help, value);
  argument.choices = type_names;
  argument.set = [&value](const std::string& text) {
    type_from(text);
    value = text;
  };
  return argument;
}

ScalarType common_type(ScalarType a, ScalarType b) {
  const auto is_complex = [](ScalarType t) {
    return t == ScalarType::complex64 || t == ScalarType::complex128;
  };
  const auto is_double = [](ScalarType t) { return t == ScalarType::float64 || t == ScalarType::complex128; };
  const bool is_long = is_double(a) || is_double(b);
  if (is_complex(a) || is_complex(b)) return is_long ? ScalarType::complex128 : ScalarType::complex64;
  return is_long ? ScalarType::float64 : ScalarType::float32;
}

}  // namespace overlapack::cli
