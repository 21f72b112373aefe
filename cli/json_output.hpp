#pragma once
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace overlapack::cli {

/// Text of --json: the object, and the version of overlapack.
std::string json_text(nlohmann::ordered_json object);
void print_json(nlohmann::ordered_json object);

}  // namespace overlapack::cli
