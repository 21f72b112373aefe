#pragma once
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace overlapack::cli {

/// What --json prints: the object, and which overlapack made it.
std::string json_text(nlohmann::ordered_json object);
void print_json(nlohmann::ordered_json object);

}  // namespace overlapack::cli
